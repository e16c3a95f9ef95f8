/** Decides whether the composer's content can be sent, and the hints it shows. */
import { serializeBody, type Draft } from "../../../queries/drafts/drafts.ts";
import type { Upload } from "../../../queries/uploads/upload.ts";
import { charactersLeft, cleanDraft } from "../../../parts/message-text/draft.ts";
import { checkUploads } from "./tray.ts";

export interface SendState {
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
