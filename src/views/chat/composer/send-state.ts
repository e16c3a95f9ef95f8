/** Decides whether the composer's content can be sent, and the hints it shows. */
import { charactersLeft, cleanDraft } from "../../../components/message-text/draft.ts";
import { t } from "../../../lib/texts/uploads.ts";
import { type Draft, serializeBody } from "../../../sync/drafts/message-drafts.ts";
import type { Upload } from "../../../sync/uploads/upload.ts";
import { MAX_ATTACHMENTS } from "../../../sync/uploads/validation.ts";

interface SendState {
  /** The body as it is sent. */
  body: string;
  ready: boolean;
  /** Characters left, null while far from the limit; negative if the text is too long. */
  remainingCharacters: number | null;
  tooLong: boolean;
  /** Why the files prevent sending. */
  filesHint: string | null;
}

export function computeSendState({ text, named: mentions }: Pick<Draft, "text" | "named">, uploads: readonly Upload[]): SendState {
  const fullBody = serializeBody(text, mentions);
  const remainingCharacters = charactersLeft(fullBody);
  const tooLong = remainingCharacters !== null && remainingCharacters < 0;
  const body = cleanDraft(fullBody);
  const files = checkUploads(uploads);
  return { body, ready: (body !== "" || uploads.length > 0) && !tooLong && files.ready, remainingCharacters, tooLong, filesHint: files.hint };
}

/**
 * Decides whether the composer's files can be sent. Unfinished ones can, since the message waits for them; failed and lost ones prevent sending and
 * return a hint.
 */
export function checkUploads(uploads: readonly Upload[]): { ready: boolean; hint: string | null } {
  if (uploads.length > MAX_ATTACHMENTS) return { ready: false, hint: t("tooMany", { most: MAX_ATTACHMENTS }) };
  const failedCount = uploads.filter(({ state }) => state === "failed" || state === "lost").length;
  if (failedCount > 0) return { ready: false, hint: t("failedHint", { count: failedCount }) };
  return { ready: true, hint: null };
}
