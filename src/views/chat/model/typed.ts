/** A message's body as people type and change it. */
import type { Named } from "../../../queries/drafts/drafts.ts";
import type { Typed } from "../../../queries/drafts/edits.ts";

export function typedOf(body: string, mentions: readonly number[], nameOf: (accountId: number) => string): Typed {
  const named: Named[] = [];
  let text = "";
  let at = 0;
  for (const found of body.matchAll(/<@(\d+)>/g)) {
    const accountId = Number(found[1]);
    if (!mentions.includes(accountId)) continue;
    text += body.slice(at, found.index);
    const start = text.length;
    text += `@${nameOf(accountId)}`;
    named.push({ start, end: text.length, accountId });
    at = found.index + found[0].length;
  }
  return { text: text + body.slice(at), named };
}
