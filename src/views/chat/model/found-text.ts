/** Builds a short excerpt of a search result around its first hit, with the hits marked. */
import { findHits } from "../../../../contract/search-words.ts";

export interface TextSegment {
  text: string;
  isHit: boolean;
}

/** UTF-16 units: the excerpt's length, and the part of it before the first hit. */
const MAX_LENGTH = 220;
const MAX_CONTEXT_BEFORE = 60;
/** A trailing surrogate, a combining mark or a joiner. */
const CONTINUES_CHARACTER = /[\uDC00-\uDFFF]|\p{M}|\u200D/u;
const MENTION = /<@([1-9]\d{0,14})>/g;

/** `nameOf` returns the name of a mentioned account. */
export function buildSearchExcerpt(body: string, query: string, nameOf: (accountId: number) => string): TextSegment[] {
  const text = body.replace(MENTION, (_, id: string) => `@${nameOf(Number(id))}`).replace(/\s+/g, " ");
  const hits = findHits(text, query);
  const firstHitStart = hits[0]?.start ?? 0;
  const start = firstHitStart <= MAX_CONTEXT_BEFORE ? 0 : characterBoundary(text, firstHitStart - MAX_CONTEXT_BEFORE);
  const end = text.length <= start + MAX_LENGTH ? text.length : characterBoundary(text, start + MAX_LENGTH);
  const segments: TextSegment[] = start > 0 ? [{ text: "…", isHit: false }] : [];
  let at = start;
  for (const hit of hits) {
    if (hit.start >= end) break;
    if (hit.start > at) segments.push({ text: text.slice(at, hit.start), isHit: false });
    segments.push({ text: text.slice(hit.start, Math.min(hit.end, end)), isHit: true });
    at = Math.min(hit.end, end);
  }
  if (at < end) segments.push({ text: text.slice(at, end), isHit: false });
  if (end < text.length) segments.push({ text: "…", isHit: false });
  return segments;
}

/** Moves a cut back so that it splits no surrogate pair and no combining sequence. */
function characterBoundary(text: string, at: number): number {
  let end = at;
  while (end > 0 && CONTINUES_CHARACTER.test(text[end] ?? "")) end -= 1;
  return end;
}
