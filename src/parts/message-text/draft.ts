/** What becomes of the composer's text when it is sent. */
import { LIMITS } from "../../../contract/limits.ts";

/** Control characters but tab and line feed: nobody types them, and the service refuses them. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000B-\u001F\u007F]/g;
/** From here on the composer counts down. */
const WARN_BELOW = 500;

/** The text as it is sent: line breaks unified, without control characters and empty lines at its ends; "" is nothing to send. */
export function cleanDraft(text: string): string {
  const clean = text.replace(/\r\n?/g, "\n").replace(CONTROL_CHARACTERS, "").toWellFormed();
  return clean.trim() === "" ? "" : clean.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

/** Characters left before the limit, or null while there are plenty. Below zero the text is too long. */
export function charactersLeft(text: string): number | null {
  // A text has at most as many characters as UTF-16 units: the exact count is only needed near the limit.
  if (text.length < LIMITS.message_characters - WARN_BELOW) return null;
  const left = LIMITS.message_characters - [...cleanDraft(text)].length;
  return left <= WARN_BELOW ? left : null;
}
