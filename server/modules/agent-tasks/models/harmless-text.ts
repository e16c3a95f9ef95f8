/** Makes what a model wrote fit to be posted: it notifies nobody and contains no links, whatever texts of users made the model write. */
import { segmentText } from "../../../../contract/links.ts";
import { cleanName } from "../../../../contract/text.ts";

const MENTION = /<@(\d{1,15})>/g;
/** Control characters but tab and line feed. */
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

export const REMOVED_LINK = "[link removed]";

/** `names`: of accounts, which replace mentions. Links of every kind that the client would make clickable are removed. */
export function harmlessText(text: string, names: ReadonlyMap<number, string> = new Map()): string {
  // Invisible characters could hide a link or a mention from what follows.
  const visible = cleanName(text.toWellFormed().replaceAll(/\r\n?/g, "\n").replaceAll(CONTROL, ""));
  const named = visible.replaceAll(MENTION, (_, id) => names.get(Number(id)) ?? "somebody");
  const unlinked = segmentText(named)
    .map((segment) => ("href" in segment ? REMOVED_LINK : segment.text))
    .join("");
  return unlinked
    .replaceAll("<@", "< @")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

export const cutText = (text: string, characters: number): string =>
  [...text].length <= characters ? text : `${[...text].slice(0, characters - 1).join("")}\u2026`;
