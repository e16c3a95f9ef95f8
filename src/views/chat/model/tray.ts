/** Whether the files of the composer can go with a message. */
import { t } from "../../../lib/messages/uploads.ts";
import { MOST_ATTACHMENTS } from "../../../queries/uploads/admission.ts";
import type { Upload } from "../../../queries/uploads/upload.ts";

/** Unfinished ones may go: the message waits for them. Those that need somebody's help hold it back, with a word why. */
export function readinessOf(uploads: readonly Upload[]): { ready: boolean; hint: string | null } {
  if (uploads.length > MOST_ATTACHMENTS) return { ready: false, hint: t("tooMany", { most: MOST_ATTACHMENTS }) };
  const failed = uploads.filter(({ state }) => state === "failed" || state === "lost").length;
  if (failed > 0) return { ready: false, hint: t("failedHint", { count: failed }) };
  return { ready: true, hint: null };
}
