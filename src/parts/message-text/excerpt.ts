/** A message in one line of plain words: for quotes, announcements and notifications. */
import { parse, type Inline } from "./parse.ts";

/** The body without marks and line breaks, mentions by the name they have now. `mentions`: who is really mentioned. */
export function excerptOf(body: string, nameOf: (accountId: number) => string, mentions: readonly number[] = []): string {
  const words = parse(body, { mentions }).map((block) => {
    if (block.kind === "code") return block.text;
    if (block.kind === "list") return block.items.map((item) => wordsOf(item, nameOf)).join(" · ");
    return wordsOf(block.inside, nameOf);
  });
  return words.join(" ").replace(/\s+/g, " ").trim();
}

function wordsOf(inside: readonly Inline[], nameOf: (accountId: number) => string): string {
  return inside
    .map((inline) => {
      if (typeof inline === "string") return inline;
      if (inline.kind === "mention") return `@${nameOf(inline.accountId)}`;
      return "inside" in inline ? wordsOf(inline.inside, nameOf) : inline.text;
    })
    .join("");
}
