import { AudioLines, File, FileArchive, FileText, Film, Folder, Image } from "lucide-react";
import type { FileEntry } from "../../../contract/file-records.ts";
import { extensionOf } from "../attachments/kind.ts";

const ARCHIVES = new Set("zip 7z rar gz tar tgz xz zst bz2".split(" "));
const TEXTS = new Set("pdf txt md doc docx odt rtf csv xls xlsx ods ppt pptx odp json xml html".split(" "));

const ICONS = { folder: Folder, audio: AudioLines, video: Film, image: Image, archive: FileArchive, text: FileText, other: File };

function iconKey({ kind, name }: Pick<FileEntry, "kind" | "name">): keyof typeof ICONS {
  if (kind !== "document") return kind;
  const extension = extensionOf(name);
  if (ARCHIVES.has(extension)) return "archive";
  return TEXTS.has(extension) ? "text" : "other";
}

/** The icon of a file's kind, for files without a picture. */
export function FileKindIcon({ entry, size = 16 }: { entry: Pick<FileEntry, "kind" | "name" | "is_folder">; size?: number }) {
  const Icon = ICONS[iconKey(entry)];
  return <Icon size={size} aria-hidden className={entry.is_folder ? "text-accent-text" : "text-text-2"} />;
}
