/** A found message as one short text around its first hit, with the hits marked. */
import { hitsIn } from "../../../../contract/search-words.ts";

export interface TextPiece {
  text: string;
  hit: boolean;
}

/** Characters (UTF-16): what is shown, and of it what stands before the first hit. */
const LENGTH = 220;
const BEFORE = 60;
/** Second half of a sign, mark or joiner. */
const GOES_ON = /[\uDC00-\uDFFF]|\p{M}|\u200D/u;
const MENTION = /<@([1-9]\d{0,14})>/g;

/** `nameOf` says what somebody mentioned is called. */
export function foundText(body: string, query: string, nameOf: (accountId: number) => string): TextPiece[] {
  const text = body.replace(MENTION, (_, id: string) => `@${nameOf(Number(id))}`).replace(/\s+/g, " ");
  const hits = hitsIn(text, query);
  const first = hits[0]?.start ?? 0;
  const start = first <= BEFORE ? 0 : boundary(text, first - BEFORE);
  const end = text.length <= start + LENGTH ? text.length : boundary(text, start + LENGTH);
  const pieces: TextPiece[] = start > 0 ? [{ text: "…", hit: false }] : [];
  let at = start;
  for (const hit of hits) {
    if (hit.start >= end) break;
    if (hit.start > at) pieces.push({ text: text.slice(at, hit.start), hit: false });
    pieces.push({ text: text.slice(hit.start, Math.min(hit.end, end)), hit: true });
    at = Math.min(hit.end, end);
  }
  if (at < end) pieces.push({ text: text.slice(at, end), hit: false });
  if (end < text.length) pieces.push({ text: "…", hit: false });
  return pieces;
}

/** Not within a sign of two units, nor before marks that belong to the letter before. */
function boundary(text: string, at: number): number {
  let end = at;
  while (end > 0 && GOES_ON.test(text[end] ?? "")) end -= 1;
  return end;
}
