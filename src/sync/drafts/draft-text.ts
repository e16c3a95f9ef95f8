/** Handles the text of an unsent message or comment: its mentions, what is sent of it, and whether it can be sent. */
import { LIMITS } from "../../../contract/limits.ts";

/** Control characters except tab and line feed: nobody types them, and the service rejects them. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000B-\u001F\u007F]/g;
/** Text fields count down from this many characters left. */
const WARN_BELOW = 500;

/** A range of the text that mentions somebody. */
export interface Mention {
  start: number;
  end: number;
  accountId: number;
}

/** A text as users type it, with mentions by their current names. */
export interface EditableText {
  text: string;
  mentions: readonly Mention[];
}

/** Returns what is sent of a text, and whether it can be sent; with attachments, it may be empty. */
export function checkText({ text, mentions = [] }: { text: string; mentions?: readonly Mention[] }, hasAttachments = false) {
  const fullBody = serializeBody(text, mentions);
  const body = cleanDraft(fullBody);
  const remainingCharacters = charactersLeft(fullBody);
  const isEmpty = body === "" && !hasAttachments;
  const isTooLong = remainingCharacters !== null && remainingCharacters < 0;
  return {
    /** The body as it is sent. */
    body,
    isEmpty,
    isTooLong,
    isReady: !isEmpty && !isTooLong,
    /** Null while far from the limit; negative if the text is too long. */
    remainingCharacters,
  };
}

/** Returns the text with each mention as `<@id>`. */
export function serializeBody(text: string, mentions: readonly Mention[]): string {
  let body = "";
  let position = 0;
  for (const { start, end, accountId } of mentions.toSorted((a, b) => a.start - b.start)) {
    if (start < position || end > text.length) continue;
    body += `${text.slice(position, start)}<@${accountId}>`;
    position = end;
  }
  return body + text.slice(position);
}

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

/** Updates mentions after an edit of the text: those after the edit shift, and those inside it are removed. */
export function shiftMentions(mentions: readonly Mention[], before: string, after: string): Mention[] {
  let prefixLength = 0;
  const maxLength = Math.min(before.length, after.length);
  while (prefixLength < maxLength && before[prefixLength] === after[prefixLength]) prefixLength += 1;
  let suffixLength = 0;
  while (suffixLength < maxLength - prefixLength && before[before.length - 1 - suffixLength] === after[after.length - 1 - suffixLength]) suffixLength += 1;
  const end = before.length - suffixLength;
  const shift = after.length - before.length;
  return mentions.flatMap((mention) => {
    if (mention.end <= prefixLength) return mention;
    return mention.start >= end ? { ...mention, start: mention.start + shift, end: mention.end + shift } : [];
  });
}

/** Returns two texts, one after the other, each with its mentions. */
export const joinTexts = (first: EditableText, second: EditableText): EditableText => ({
  text: first.text + second.text,
  mentions: [
    ...first.mentions,
    ...second.mentions.map((mention) => ({ ...mention, start: mention.start + first.text.length, end: mention.end + first.text.length })),
  ],
});

/** Returns the added text with the existing one below it, if there is one. */
export const prependText = (existing: EditableText, added: EditableText): EditableText =>
  existing.text === "" ? added : joinTexts({ ...added, text: `${added.text}\n` }, existing);

/** Returns the ids of the accounts that a body mentions; whether they are people of the project, the service decides. */
export const parseMentions = (body: string): number[] => [...body.matchAll(/<@(\d{1,15})>/g)].map(([, id]) => Number(id));

/** Returns a body as users edit it, with the given mentions by name; any other `<@id>` stays text. */
export function toEditableText(body: string, mentions: readonly number[], nameOf: (accountId: number) => string): EditableText {
  const ranges: Mention[] = [];
  let text = "";
  let position = 0;
  for (const match of body.matchAll(/<@(\d+)>/g)) {
    const accountId = Number(match[1]);
    if (!mentions.includes(accountId)) continue;
    text += body.slice(position, match.index);
    const start = text.length;
    text += `@${nameOf(accountId)}`;
    ranges.push({ start, end: text.length, accountId });
    position = match.index + match[0].length;
  }
  return { text: text + body.slice(position), mentions: ranges };
}
