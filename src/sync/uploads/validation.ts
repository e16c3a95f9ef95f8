/** Validates a file before its upload starts. */
import { formatSize } from "../../lib/format.ts";
import { t } from "../../lib/texts/uploads.ts";

/** The service's limit of attachments per message. */
export const MAX_ATTACHMENTS = 20;

/**
 * Returns why the file cannot be uploaded, or null. `maxBytes` is undefined while the service's limit is unknown; the service then rejects the
 * file itself.
 */
export function validateFile(file: { size: number }, maxBytes: number | undefined): string | null {
  if (file.size === 0) return t("emptyFile");
  if (maxBytes !== undefined && file.size > maxBytes) return t("tooLarge", { most: formatSize(maxBytes) });
  return null;
}

/** Returns whether a chosen file can be the one whose bytes were lost. */
export const isSameFile = (file: { name: string; size: number }, upload: { name: string; bytes: number }) =>
  file.name === upload.name && file.size === upload.bytes;
