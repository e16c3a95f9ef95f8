import { findHits } from "../../../contract/search-tokens.ts";

/** Shows a text with the words of the query marked. */
export function HighlightedText({ text, query }: { text: string; query: string }) {
  const parts: { text: string; isHit: boolean }[] = [];
  let at = 0;
  for (const { start, end } of findHits(text, query)) {
    parts.push({ text: text.slice(at, start), isHit: false }, { text: text.slice(start, end), isHit: true });
    at = end;
  }
  parts.push({ text: text.slice(at), isHit: false });
  return parts
    .filter((part) => part.text !== "")
    .map((part, index) =>
      part.isHit ? (
        <mark key={index} className="rounded-sm bg-accent-soft text-text">
          {part.text}
        </mark>
      ) : (
        part.text
      ),
    );
}
