/** Cuts the part of a text around the first match out of it. */
import { findHits } from "../../../contract/search-tokens.ts";

/** Length of an excerpt, and how much of it comes before the first match, in characters. */
const EXCERPT_LENGTH = 240;
const BEFORE_MATCH = 60;
/** Matches are looked for in this many characters, which bounds the work for a page of long texts. */
const SEARCHED_LENGTH = 10_000;

/** Removes the marks of bold, italics, code, quotes and lists, which messages are written with. */
const withoutMarks = (text: string): string =>
  text
    .replace(/^(?:> ?|[-*] )/gm, "")
    .replace(/\*\*|`+/g, "")
    .replace(/(?<![\w*])\*(\S[^*\n]*)\*(?![\w*])/g, "$1");

/** Returns one line of text. "…" marks where it was cut. */
export function excerptAround(text: string, query: string, searchedLength = SEARCHED_LENGTH): string {
  const line = withoutMarks(text.slice(0, searchedLength)).replaceAll("\u00AD", "").replace(/\s+/g, " ").trim();
  if (line.length <= EXCERPT_LENGTH) return line;
  const firstHit = findHits(line, query)[0]?.start ?? 0;
  const start = firstHit <= BEFORE_MATCH ? 0 : nextWord(line, firstHit - BEFORE_MATCH, firstHit);
  // A surrogate pair is never cut in half.
  const end = /[\uD800-\uDBFF]/.test(line[start + EXCERPT_LENGTH - 1] ?? "") ? start + EXCERPT_LENGTH - 1 : start + EXCERPT_LENGTH;
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

/** Returns where the first word after `from` begins; `limit` if none begins before it. */
function nextWord(line: string, from: number, limit: number): number {
  const space = line.indexOf(" ", from);
  return space === -1 || space >= limit ? limit : space + 1;
}
