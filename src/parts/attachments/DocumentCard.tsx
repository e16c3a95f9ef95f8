import { File, FileArchive, FileText, Trash2 } from "lucide-react";
import type { Attachment } from "../../../contract/records.ts";
import { formatSize } from "../../lib/file-size.ts";
import { t } from "../../lib/messages/attachments.ts";
import { hasFailed } from "../../queries/files/state.ts";
import { AttachedStatus, DownloadLink, FileName } from "./FileName.tsx";
import { FileState } from "./FileState.tsx";
import { extensionOf } from "./kind.ts";

const TEXTS = new Set("pdf txt md doc docx odt rtf csv xls xlsx ods ppt pptx odp json xml html".split(" "));
const ARCHIVES = new Set("zip 7z rar gz tar tgz xz zst bz2".split(" "));

/** Shows the name, type and size of a file that is neither audio, image nor video. */
export function DocumentCard({ attachment }: { attachment: Attachment }) {
  const extension = extensionOf(attachment.name);
  const Icon = TEXTS.has(extension) ? FileText : ARCHIVES.has(extension) ? FileArchive : File;
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
export function DeletedCard({ name }: { name: string }) {
  return (
    <div className="flex h-10 max-w-100 items-center gap-2.5 rounded-lg border border-dashed border-line-strong px-3 text-sm text-text-2">
      <Trash2 size={16} aria-hidden className="shrink-0" />
      <bdi className="truncate">{t("deleted", { name })}</bdi>
    </div>
  );
}
