/** What is said of a file before its first byte goes out. */
import { formatSize } from "../../lib/file-size.ts";
import { t } from "../../lib/messages/uploads.ts";

/** The service takes this many attachments in one message. */
export const MAX_ATTACHMENTS = 20;

/** Why the file cannot be uploaded, or null. `maxBytes` is undefined while the service's limit is not known: then the service says it. */
export function validateFile(file: { size: number }, maxBytes: number | undefined): string | null {
  if (file.size === 0) return t("emptyFile");
  if (maxBytes !== undefined && file.size > maxBytes) return t("tooLarge", { most: formatSize(maxBytes) });
  return null;
}

/** Whether a chosen file can be the one whose bytes were lost. */
export const isSameFile = (file: { name: string; size: number }, upload: { name: string; bytes: number }) =>
  file.name === upload.name && file.size === upload.bytes;
