import { memo } from "react";
import type { Attachment } from "../../../contract/records.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/attachments.ts";
import { isDeleted } from "../../queries/files/cache.ts";
import { AudioAttachment } from "./AudioAttachment.tsx";
import { DeletedCard, DocumentCard } from "./DocumentCard.tsx";
import { Images } from "./Images.tsx";
import { groupAttachments, type Block } from "./kind.ts";
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
    <div role="group" aria-label={t("list", { count: attachments.length })} className={classes("flex flex-col gap-2", className)}>
      {groupAttachments(attachments, isDeleted).map((block) => (
        <AttachmentBlock key={blockKey(block)} block={block} projectId={projectId} />
      ))}
    </div>
  );
});

const blockKey = (block: Block) => (block.kind === "images" ? block.attachments[0]!.id : block.attachment.id);

function AttachmentBlock({ block, projectId }: { block: Block; projectId: number }) {
  switch (block.kind) {
    case "images":
      return <Images attachments={block.attachments} />;
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
