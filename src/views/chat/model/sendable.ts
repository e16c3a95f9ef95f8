/** Whether what stands in the composer can be sent, and what it says about that. */
import { serializeBody, type Draft } from "../../../queries/drafts/drafts.ts";
import type { Upload } from "../../../queries/uploads/upload.ts";
import { charactersLeft, cleanDraft } from "../../../parts/message-text/draft.ts";
import { checkUploads } from "./tray.ts";

export interface SendState {
  /** As it is sent. */
  body: string;
  ready: boolean;
  /** Characters left, where that is worth a word; below zero the text is too long. */
  remainingCharacters: number | null;
  tooLong: boolean;
  /** Why the files hold it back. */
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
