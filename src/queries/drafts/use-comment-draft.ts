import { useMemo, useSyncExternalStore } from "react";
import { onPersistedChange } from "../../lib/remembered.ts";
import { useSession } from "../session/use-session.ts";
import { EMPTY_COMMENT_DRAFT, parseCommentDraftKey, loadCommentDraft, saveCommentDraft, type DraftTarget, type CommentDraft } from "./comment-drafts.ts";
import { retainUntilStored } from "./keep-until.ts";
import { createSharedDrafts } from "./shared-drafts.ts";

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
