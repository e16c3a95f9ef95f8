/** Stores unsent comments and replies by account in this browser, and shares them between its tabs. */
import { useMemo, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { getPersisted, onPersistedChange, setPersisted } from "../../lib/local-storage.ts";
import { useSession } from "../../queries/session.ts";
import { retainUntilStored } from "./message-drafts.ts";
import { createSharedDrafts } from "./shared-drafts.ts";

// `version` is the one shown when the anchor was chosen; drafts of older pages lack it.
const anchorSchema = z.union([
  /** The playback position at the first keystroke. */
  z.object({ kind: z.literal("follow") }),
  /** The whole file. */
  z.object({ kind: z.literal("none"), version: z.optional(z.int()) }),
  /** Milliseconds. `auto`: set without the user's choice, and dropped when the text is empty. */
  z.object({ kind: z.literal("at"), at: z.int(), end: z.nullable(z.int()), auto: z.boolean(), version: z.optional(z.int()) }),
]);
const commentDraftSchema = z.object({ text: z.string(), mark: anchorSchema });

/** The position in a file that a comment refers to. */
export type CommentAnchor = z.infer<typeof anchorSchema>;
export type CommentDraft = z.infer<typeof commentDraftSchema>;

export const EMPTY_COMMENT_DRAFT: CommentDraft = { text: "", mark: { kind: "follow" } };

/** What a draft belongs to: the comments of a file, or the replies to a comment. */
type DraftTarget = `file.${number}` | `comment.${number}`;

const drafts = createSharedDrafts<CommentDraft, DraftTarget>({ load: loadCommentDraft, save: saveCommentDraft });
onPersistedChange((name) => {
  const draftKey = parseCommentDraftKey(name);
  if (draftKey) drafts.onExternalChange(draftKey.accountId, draftKey.target);
});

/** Returns the draft of a comment or reply, which survives navigation, a reload and the end of its author's session. */
export function useCommentDraft(target: DraftTarget) {
  const { id } = useSession().account;
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(id, target));
  const handle = useMemo(
    () => ({
      /** Returns the current draft, also outside of a render. */
      current: () => drafts.get(id, target),
      change: (change: (before: CommentDraft) => CommentDraft) => drafts.change(id, target, change(drafts.get(id, target))),
      /** Clears the draft in this page at once, and in the browser's storage once `stored` settles. */
      onSent(stored: Promise<unknown>) {
        const sentDraft = drafts.get(id, target);
        drafts.change(id, target, EMPTY_COMMENT_DRAFT);
        retainUntilStored({ load: () => loadCommentDraft(id, target), save: (next) => saveCommentDraft(id, target, next) }, sentDraft, stored);
      },
    }),
    [id, target],
  );
  return [draft, handle] as const;
}

/** Prepends text to the draft reply to a comment. */
export function prependReplyDraft(accountId: number, commentId: number, text: string): void {
  const { text: before, mark } = drafts.get(accountId, `comment.${commentId}`);
  drafts.change(accountId, `comment.${commentId}`, { text: before === "" ? text : `${text}\n${before}`, mark });
}

const commentDraftKey = (accountId: number, target: DraftTarget) => `comment-draft.${accountId}.${target}`;

/** Returns the account and target of a storage key; null for any other key. */
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
