/** Prepares the composer's text for sending. */
import { LIMITS } from "../../../contract/limits.ts";

/** Control characters except tab and line feed: nobody types them, and the service rejects them. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000B-\u001F\u007F]/g;
/** The composer counts down from this many characters left. */
const WARN_BELOW = 500;

/** Returns the text to send, with unified line breaks and without control characters or empty lines at either end; "" if there is nothing. */
export function cleanDraft(text: string): string {
  const clean = text.replace(/\r\n?/g, "\n").replace(CONTROL_CHARACTERS, "").toWellFormed();
  return clean.trim() === "" ? "" : clean.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

/** Returns the characters left before the limit, null while there are plenty, and a negative number if the text is too long. */
export function charactersLeft(text: string): number | null {
  // A text has at most as many characters as UTF-16 units, so the exact count is needed only near the limit.
  if (text.length < LIMITS.message_characters - WARN_BELOW) return null;
  const left = LIMITS.message_characters - [...cleanDraft(text)].length;
  return left <= WARN_BELOW ? left : null;
}
