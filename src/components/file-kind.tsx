/** Determines the kind of a file, groups a message's attachments by kind, and provides the icon of a file without a picture. */
import { AudioLines, File, FileArchive, FileText, Film, Folder, Image } from "lucide-react";
import type { FileEntry } from "../../contract/file-records.ts";
import type { Attachment } from "../../contract/records.ts";
import { extensionOf, kindOfName } from "../lib/file-extension.ts";
import { hasFailed, isProcessing } from "../queries/files/file-updates.ts";

type Kind = "audio" | "video" | "image" | "document";

const ARCHIVES = new Set("zip 7z rar gz tar tgz xz zst bz2".split(" "));
const TEXTS = new Set("pdf txt md doc docx odt rtf csv xls xlsx ods ppt pptx odp json xml html".split(" "));

export const DOCUMENT_ICONS = { archive: FileArchive, text: FileText, other: File };
const ICONS = { folder: Folder, audio: AudioLines, video: Film, image: Image, ...DOCUMENT_ICONS };

/** Returns the kind by which an attachment is shown: its `kind`, or else derived from the documented optional members, or else from its name. */
export function kindOf(attachment: Attachment): Kind {
  const { kind, transcoding_status: state } = attachment;
  if (kind === "audio" || kind === "video" || kind === "image") return kind;
  // Content that the service does not recognize at first is a document until it is processed, so the name predicts the final kind.
  if (kind === "document" && !isProcessing(state) && !hasFailed(state)) return kind;
  if (attachment.audio) return "audio";
  if (attachment.thumbnail !== undefined) return "image";
  if (attachment.thumbnail_url !== undefined || attachment.stills_url !== undefined) return "video";
  const named = kindOfName(attachment.name);
  // Only videos have a documented duration, but a service may report that of audio too.
  return attachment.duration !== undefined && named !== "audio" ? "video" : named;
}

export type AttachmentBlock =
  | { kind: "images" | "audio-list"; attachments: readonly Attachment[] }
  | { kind: Exclude<Kind, "image"> | "deleted"; attachment: Attachment };

/** From this number on, the audio files of a message form one list. */
const MIN_LIST_LENGTH = 3;

/** Groups attachments in the order they were sent; consecutive images form one block, and several audio files one list in place of the first. */
export function groupAttachments(attachments: readonly Attachment[], isDeleted: (attachment: Attachment) => boolean): AttachmentBlock[] {
  const blocks: AttachmentBlock[] = [];
  const listed = attachments.filter((attachment) => !isDeleted(attachment) && kindOf(attachment) === "audio");
  for (const attachment of attachments) {
    const kind = isDeleted(attachment) ? "deleted" : kindOf(attachment);
    const last = blocks.at(-1);
    if (kind === "audio" && listed.length >= MIN_LIST_LENGTH) {
      if (attachment === listed[0]) blocks.push({ kind: "audio-list", attachments: listed });
    } else if (kind !== "image") blocks.push({ kind, attachment });
    else if (last?.kind === "images") blocks[blocks.length - 1] = { kind: "images", attachments: [...last.attachments, attachment] };
    else blocks.push({ kind: "images", attachments: [attachment] });
  }
  return blocks;
}

/** Returns the type of a document by its extension. */
export function documentTypeOf(name: string): keyof typeof DOCUMENT_ICONS {
  const extension = extensionOf(name);
  if (ARCHIVES.has(extension)) return "archive";
  return TEXTS.has(extension) ? "text" : "other";
}

/** The icon of a file's kind, for files without a picture. */
export function FileKindIcon({ entry, size = 16 }: { entry: Pick<FileEntry, "kind" | "name" | "is_folder">; size?: number }) {
  const Icon = ICONS[entry.kind === "document" ? documentTypeOf(entry.name) : entry.kind];
  return <Icon size={size} aria-hidden className={entry.is_folder ? "text-accent-text" : "text-text-2"} />;
}
