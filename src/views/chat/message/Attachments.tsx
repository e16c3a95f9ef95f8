import { Trash2 } from "lucide-react";
import { memo } from "react";
import type { Attachment } from "../../../../contract/records.ts";
import { type AttachmentBlock, DOCUMENT_ICONS, documentTypeOf, extensionOf, groupAttachments } from "../../../components/file-kind.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/attachments.ts";
import { hasFailed, isDeleted } from "../../../queries/files/file-updates.ts";
import { AttachedStatus, DownloadLink, FileName, FileState } from "./attachment-parts.tsx";
import { AudioAttachment } from "./AudioAttachment.tsx";
import { ImageAttachments } from "./ImageAttachments.tsx";
import { VideoAttachment } from "./VideoAttachment.tsx";

interface Props {
  attachments: readonly Attachment[];
  projectId: number;
  className?: string;
}

/** Shows the files of a message, each according to its kind. */
export const Attachments = memo(function Attachments({ attachments, projectId, className }: Props) {
  if (attachments.length === 0) return null;
  return (
    <div role="group" aria-label={t("list", { count: attachments.length })} className={classNames("flex flex-col gap-2", className)}>
      {groupAttachments(attachments, isDeleted).map((block) => (
        <AttachmentBlockView key={blockKey(block)} block={block} projectId={projectId} />
      ))}
    </div>
  );
});

const blockKey = (block: AttachmentBlock) => (block.kind === "images" ? block.attachments[0]!.id : block.attachment.id);

function AttachmentBlockView({ block, projectId }: { block: AttachmentBlock; projectId: number }) {
  switch (block.kind) {
    case "images":
      return <ImageAttachments attachments={block.attachments} />;
    case "audio":
      return <AudioAttachment attachment={block.attachment} projectId={projectId} />;
    case "video":
      return <VideoAttachment attachment={block.attachment} />;
    case "document":
      return <DocumentCard attachment={block.attachment} />;
    case "deleted":
      return <DeletedCard name={block.attachment.name} />;
  }
}

/** Shows the name, type and size of a file that is neither audio, image nor video. */
function DocumentCard({ attachment }: { attachment: Attachment }) {
  const extension = extensionOf(attachment.name);
  const Icon = DOCUMENT_ICONS[documentTypeOf(attachment.name)];
  const size = formatSize(attachment.size);
  return (
    <div className="flex h-15 max-w-100 items-center gap-3 rounded-lg border border-line bg-wave-bg pr-2 pl-3">
      <Icon size={22} aria-hidden className="shrink-0 text-text-2" />
      <div className="min-w-0 flex-1">
        <FileName attachment={attachment} />
        {/* Nothing is generated from a document, so only a failure is worth showing. */}
        {hasFailed(attachment.transcoding_status) ? (
          <FileState attachment={attachment} className="max-h-7" />
        ) : (
          <p className="truncate text-xs text-text-2">{extension ? t("typeAndSize", { type: extension.toUpperCase(), size }) : size}</p>
        )}
      </div>
      <AttachedStatus status={attachment.status} />
      <DownloadLink attachment={attachment} />
    </div>
  );
}

/** Shown in place of a deleted file. */
function DeletedCard({ name }: { name: string }) {
  return (
    <div className="flex h-10 max-w-100 items-center gap-2.5 rounded-lg border border-dashed border-line-strong px-3 text-sm text-text-2">
      <Trash2 size={16} aria-hidden className="shrink-0" />
      <bdi className="truncate">{t("deleted", { name })}</bdi>
    </div>
  );
}
