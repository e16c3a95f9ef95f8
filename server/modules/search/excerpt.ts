/** Cuts the part of a text out of it where most words of a query are close together. */
import { findHits, foldText } from "../../../contract/search-tokens.ts";

/** Length of an excerpt, and how much of it comes before the matches, in characters. */
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
  const at = findDensestPlace(line, query);
  const start = at <= BEFORE_MATCH ? 0 : nextWord(line, at - BEFORE_MATCH, at);
  // A surrogate pair is never cut in half.
  const end = /[\uD800-\uDBFF]/.test(line[start + EXCERPT_LENGTH - 1] ?? "") ? start + EXCERPT_LENGTH - 1 : start + EXCERPT_LENGTH;
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

/** Returns where the first hit of a stretch begins that has the most different words, of several the shortest; 0 without any hit. */
function findDensestPlace(line: string, query: string): number {
  const hits = findHits(line, query).map(({ start, end }) => ({ start, end, word: foldText(line.slice(start, end)) }));
  let best = { start: 0, words: 0, length: 0 };
  for (const [index, { start }] of hits.entries()) {
    const words = new Set<string>();
    let length = 0;
    for (let next = index; next < hits.length && hits[next]!.end - start <= EXCERPT_LENGTH - BEFORE_MATCH; next += 1) {
      const { end, word } = hits[next]!;
      if (words.has(word)) continue;
      words.add(word);
      length = end - start;
    }
    if (words.size > best.words || (words.size === best.words && length < best.length)) best = { start, words: words.size, length };
  }
  return best.start;
}

/** Returns where the first word after `from` begins; `limit` if none begins before it. */
function nextWord(line: string, from: number, limit: number): number {
  const space = line.indexOf(" ", from);
  return space === -1 || space >= limit ? limit : space + 1;
}
