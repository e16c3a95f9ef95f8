/** Decides whether the composer's files can go with a message. */
import { t } from "../../../lib/messages/uploads.ts";
import { MAX_ATTACHMENTS } from "../../../queries/uploads/admission.ts";
import type { Upload } from "../../../queries/uploads/upload.ts";

/** Unfinished uploads may be sent, since the message waits for them; failed and lost ones prevent sending and return a hint. */
export function checkUploads(uploads: readonly Upload[]): { ready: boolean; hint: string | null } {
  if (uploads.length > MAX_ATTACHMENTS) return { ready: false, hint: t("tooMany", { most: MAX_ATTACHMENTS }) };
  const failedCount = uploads.filter(({ state }) => state === "failed" || state === "lost").length;
  if (failedCount > 0) return { ready: false, hint: t("failedHint", { count: failedCount }) };
  return { ready: true, hint: null };
}
