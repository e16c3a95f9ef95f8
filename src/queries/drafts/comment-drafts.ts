/** Comments and replies that are being written, by account: kept by this browser until they are sent. */
import * as z from "zod/mini";
import { getPersisted, setPersisted } from "../../lib/remembered.ts";

// `version`: the one that was shown when it was chosen; what was kept by an older page does not say.
const anchorSchema = z.union([
  /** Wherever the sound stands when the first key comes. */
  z.object({ kind: z.literal("follow") }),
  /** The whole file. */
  z.object({ kind: z.literal("none"), version: z.optional(z.int()) }),
  /** Milliseconds. `auto`: nobody chose it, and without words it is let go of. */
  z.object({ kind: z.literal("at"), at: z.int(), end: z.nullable(z.int()), auto: z.boolean(), version: z.optional(z.int()) }),
]);
const commentDraftSchema = z.object({ text: z.string(), mark: anchorSchema });

/** The place that a comment is written about. */
export type CommentAnchor = z.infer<typeof anchorSchema>;
export type CommentDraft = z.infer<typeof commentDraftSchema>;

export const EMPTY_COMMENT_DRAFT: CommentDraft = { text: "", mark: { kind: "follow" } };

/** What is written in: the comments of a file, or the answers to a comment. */
export type DraftTarget = `file.${number}` | `comment.${number}`;

const commentDraftKey = (accountId: number, target: DraftTarget) => `comment-draft.${accountId}.${target}`;

/** Whose draft is remembered by this name; null: it is something else. */
export function parseCommentDraftKey(name: string): { accountId: number; target: DraftTarget } | null {
  const [, account, target] = /^comment-draft\.(\d+)\.((?:file|comment)\.\d+)$/.exec(name) ?? [];
  return account && target ? { accountId: Number(account), target: target as DraftTarget } : null;
}

export function loadCommentDraft(accountId: number, target: DraftTarget): CommentDraft {
  try {
    const { data = EMPTY_COMMENT_DRAFT } = commentDraftSchema.safeParse(JSON.parse(getPersisted(commentDraftKey(accountId, target)) ?? "null"));
    return data;
  } catch {
    return EMPTY_COMMENT_DRAFT;
  }
}

export function saveCommentDraft(accountId: number, target: DraftTarget, draft: CommentDraft = EMPTY_COMMENT_DRAFT): void {
  setPersisted(commentDraftKey(accountId, target), draft.text === "" ? null : JSON.stringify(draft));
}
