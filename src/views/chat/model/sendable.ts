/** Whether what stands in the composer can be sent, and what it says about that. */
import { bodyOf, type Draft } from "../../../queries/drafts/drafts.ts";
import type { Upload } from "../../../queries/uploads/upload.ts";
import { charactersLeft, cleanDraft } from "../../../parts/message-text/draft.ts";
import { readinessOf } from "./tray.ts";

export interface Sendable {
  /** As it is sent. */
  body: string;
  ready: boolean;
  /** Characters left, where that is worth a word; below zero the text is too long. */
  left: number | null;
  tooLong: boolean;
  /** Why the files hold it back. */
  filesHint: string | null;
}

export function sendableOf({ text, named }: Pick<Draft, "text" | "named">, uploads: readonly Upload[]): Sendable {
  const whole = bodyOf(text, named);
  const left = charactersLeft(whole);
  const tooLong = left !== null && left < 0;
  const body = cleanDraft(whole);
  const files = readinessOf(uploads);
  return { body, ready: (body !== "" || uploads.length > 0) && !tooLong && files.ready, left, tooLong, filesHint: files.hint };
}
