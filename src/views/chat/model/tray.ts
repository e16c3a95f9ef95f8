/** Whether the files of the composer can go with a message. */
import { t } from "../../../lib/messages/uploads.ts";
import { MAX_ATTACHMENTS } from "../../../queries/uploads/admission.ts";
import type { Upload } from "../../../queries/uploads/upload.ts";

/** Unfinished ones may go: the message waits for them. Those that need somebody's help hold it back, with a word why. */
export function checkUploads(uploads: readonly Upload[]): { ready: boolean; hint: string | null } {
  if (uploads.length > MAX_ATTACHMENTS) return { ready: false, hint: t("tooMany", { most: MAX_ATTACHMENTS }) };
  const failedCount = uploads.filter(({ state }) => state === "failed" || state === "lost").length;
  if (failedCount > 0) return { ready: false, hint: t("failedHint", { count: failedCount }) };
  return { ready: true, hint: null };
}
