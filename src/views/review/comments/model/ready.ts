import { charactersLeft, cleanDraft } from "../../../../parts/message-text/draft.ts";

/** Returns the cleaned text to send, or null if it is empty or too long. */
export function toSendableBody(text: string): string | null {
  const body = cleanDraft(text);
  return body === "" || (charactersLeft(text) ?? 0) < 0 ? null : body;
}
