import { Trash2 } from "lucide-react";
import { memo } from "react";
import type { Attachment } from "../../../../contract/records.ts";
import { DOCUMENT_ICONS, documentTypeOf, groupAttachments } from "../../../components/file-kind.tsx";
import { extensionOf } from "../../../lib/file-extension.ts";
import { formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { hasFailed, isDeleted } from "../../../queries/files/file-updates.ts";
import { AttachedStatus, DownloadLink, FileName, FileState } from "./attachment-parts.tsx";
import { AudioAttachment } from "./AudioAttachment.tsx";
import { AudioList } from "./AudioList.tsx";
import { ImageAttachments } from "./ImageAttachments.tsx";
import { VideoAttachment } from "./VideoAttachment.tsx";

interface AttachmentsProps {
  attachments: readonly Attachment[];
  projectId: number;
  messageId: number;
  /** Name of the message's author. */
  authorName: string;
}

export const Attachments = memo(function Attachments({ attachments, projectId, messageId, authorName }: AttachmentsProps) {
  if (attachments.length === 0) return null;
  return (
    <div role="group" aria-label={t("list", { count: attachments.length })} className="mt-1.5 mb-1 flex max-w-150 flex-col gap-2">
      {groupAttachments(attachments, isDeleted).map((block) => {
        if ("attachments" in block) {
          if (block.kind === "images") return <ImageAttachments key={block.attachments[0]!.id} attachments={block.attachments} />;
          return <AudioList key="audio" attachments={block.attachments} projectId={projectId} messageId={messageId} authorName={authorName} />;
        }
        const Card = { audio: AudioAttachment, video: VideoAttachment, document: DocumentCard, deleted: DeletedCard }[block.kind];
        return <Card key={block.attachment.id} attachment={block.attachment} projectId={projectId} />;
      })}
    </div>
  );
});

/** Shows the name, type and size of a file that is neither audio, image nor video. */
function DocumentCard({ attachment }: { attachment: Attachment }) {
  const extension = extensionOf(attachment.name);
  const Icon = DOCUMENT_ICONS[documentTypeOf(attachment.name)];
  // A service that numbers no versions may not know the size.
  const size = attachment.size === 0 && attachment.version === undefined ? "" : formatSize(attachment.size);
  return (
    <div className="flex h-15 items-center gap-3 rounded-lg border border-line bg-wave-bg pr-2 pl-3">
      <Icon size={22} aria-hidden className="shrink-0 text-text-2" />
      <div className="min-w-0 flex-1">
        <FileName attachment={attachment} />
        {/* Nothing is generated from a document, so only a failure is worth showing. */}
        {hasFailed(attachment.transcoding_status) ? (
          <FileState attachment={attachment} className="max-h-7" />
        ) : (
          <p className="truncate text-xs text-text-2">
            {extension && size ? t("typeAndSize", { type: extension.toUpperCase(), size }) : size || extension.toUpperCase()}
          </p>
        )}
      </div>
      <AttachedStatus status={attachment.status} />
      <DownloadLink attachment={attachment} />
    </div>
  );
}

function DeletedCard({ attachment: { name } }: { attachment: Attachment }) {
  return (
    <div className="flex h-10 items-center gap-2.5 rounded-lg border border-dashed border-line-strong px-3 text-sm text-text-2">
      <Trash2 size={16} aria-hidden className="shrink-0" />
      <bdi className="truncate">{t("deleted", { name })}</bdi>
    </div>
  );
}
