import { charactersLeft, cleanDraft } from "../../../../parts/message-text/draft.ts";

/** What would be sent; null: there is nothing, or too much of it. */
export function toSendableBody(text: string): string | null {
  const body = cleanDraft(text);
  return body === "" || (charactersLeft(text) ?? 0) < 0 ? null : body;
}
