/** Reduces a message to one line of plain text for quotes, announcements and notifications. */
import { parse, type Inline } from "./parse.ts";

/** Returns the body without formatting and line breaks, with current names for mentions. `mentions`: the accounts that are really mentioned. */
export function excerptOf(body: string, nameOf: (accountId: number) => string, mentions: readonly number[] = []): string {
  const texts = parse(body, { mentions }).map((block) => {
    if (block.kind === "code") return block.text;
    if (block.kind === "list") return block.items.map((item) => plainText(item, nameOf)).join(" · ");
    return plainText(block.inside, nameOf);
  });
  return texts.join(" ").replace(/\s+/g, " ").trim();
}

function plainText(inside: readonly Inline[], nameOf: (accountId: number) => string): string {
  return inside
    .map((inline) => {
      if (typeof inline === "string") return inline;
      if (inline.kind === "mention") return `@${nameOf(inline.accountId)}`;
      return "inside" in inline ? plainText(inline.inside, nameOf) : inline.text;
    })
    .join("");
}
