/** Converts a message's body to editable text with its mentions. */
import type { Mention } from "../../../queries/drafts/drafts.ts";
import type { EditableText } from "../../../queries/drafts/edits.ts";

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
  return { text: text + body.slice(position), named: ranges };
}
