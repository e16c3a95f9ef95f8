/** Comments and replies that are being written, by account: kept by this browser until they are sent. */
import * as z from "zod/mini";
import { recall, remember } from "../../lib/remembered.ts";

// `version`: the one that was shown when it was chosen; what was kept by an older page does not say.
const mark = z.union([
  /** Wherever the sound stands when the first key comes. */
  z.object({ kind: z.literal("follow") }),
  /** The whole file. */
  z.object({ kind: z.literal("none"), version: z.optional(z.int()) }),
  /** Milliseconds. `auto`: nobody chose it, and without words it is let go of. */
  z.object({ kind: z.literal("at"), at: z.int(), end: z.nullable(z.int()), auto: z.boolean(), version: z.optional(z.int()) }),
]);
const written = z.object({ text: z.string(), mark });

/** The place that a comment is written about. */
export type Mark = z.infer<typeof mark>;
export type Written = z.infer<typeof written>;

export const BLANK: Written = { text: "", mark: { kind: "follow" } };

/** What is written in: the comments of a file, or the answers to a comment. */
export type Desk = `file.${number}` | `comment.${number}`;

const nameOf = (accountId: number, desk: Desk) => `comment-draft.${accountId}.${desk}`;

/** Whose draft is remembered by this name; null: it is something else. */
export function deskOf(name: string): { accountId: number; desk: Desk } | null {
  const [, account, desk] = /^comment-draft\.(\d+)\.((?:file|comment)\.\d+)$/.exec(name) ?? [];
  return account && desk ? { accountId: Number(account), desk: desk as Desk } : null;
}

export function loadWritten(accountId: number, desk: Desk): Written {
  try {
    const { data = BLANK } = written.safeParse(JSON.parse(recall(nameOf(accountId, desk)) ?? "null"));
    return data;
  } catch {
    return BLANK;
  }
}

export function saveWritten(accountId: number, desk: Desk, draft: Written = BLANK): void {
  remember(nameOf(accountId, desk), draft.text === "" ? null : JSON.stringify(draft));
}
