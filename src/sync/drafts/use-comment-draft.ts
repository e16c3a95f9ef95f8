/** Stores unsent comments and replies by account. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import type { Api } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { useSession } from "../../queries/session.ts";
import type { CommentDraftTarget } from "../uploads/upload.ts";
import { type EditableText, prependText } from "./draft-text.ts";
import { createDrafts } from "./shared-drafts.ts";

// `version` is the one shown when the anchor was chosen; drafts that an earlier version of this client stored lack it.
const anchorSchema = z.union([
  /** The current playback position, until the first keystroke fixes it. */
  z.object({ kind: z.literal("follow") }),
  /** The whole file. */
  z.object({ kind: z.literal("none"), version: z.optional(z.int()) }),
  /** `auto`: set without the user's choice, and dropped when the text is empty. */
  z.object({ kind: z.literal("at"), startMs: z.int(), endMs: z.nullable(z.int()), auto: z.boolean(), version: z.optional(z.int()) }),
]);
const mentionSchema = z.object({ start: z.int(), end: z.int(), accountId: z.int() });
const commentDraftSchema = z.object({
  text: z.string(),
  mentions: z.array(mentionSchema),
  anchor: anchorSchema,
  /** Whether files are attached: such a draft keeps its anchor without text. The upload queue has the files. */
  hasFiles: z.boolean(),
});

/** The position in a file that a comment refers to. */
export type CommentAnchor = z.infer<typeof anchorSchema>;
export type CommentDraft = z.infer<typeof commentDraftSchema>;

export const EMPTY_COMMENT_DRAFT: CommentDraft = { text: "", mentions: [], anchor: { kind: "follow" }, hasFiles: false };

export type CommentDrafts = ReturnType<typeof createCommentDrafts>;

/** `storageName`: of the service. */
export const createCommentDrafts = (storageName: Api["storageName"]) =>
  createDrafts<CommentDraft, CommentDraftTarget>({
    empty: EMPTY_COMMENT_DRAFT,
    isEmpty: ({ text, hasFiles }) => text === "" && !hasFiles,
    keyOf: (accountId, target) => storageName(`comment-draft.${accountId}.${target}`),
    parse: (value) => commentDraftSchema.safeParse(upgradeStoredDraft(value)).data,
  });

/**
 * Returns a stored draft with today's members: drafts that an earlier version of this client stored say `mark` for `anchor`, `at` for `startMs` and
 * `end` for `endMs`, or have no `mentions` or `hasFiles`.
 */
function upgradeStoredDraft(value: unknown): unknown {
  const draft = value as { anchor?: unknown; mark?: unknown } | null;
  const anchor = (draft?.anchor ?? draft?.mark) as { at?: unknown; end?: unknown } | undefined;
  return anchor ? { mentions: [], hasFiles: false, ...draft, anchor: { startMs: anchor.at, endMs: anchor.end, ...anchor } } : draft;
}

/** Returns the draft of a comment or reply, which survives navigation, a reload and the end of its author's session. */
export function useCommentDraft(target: CommentDraftTarget) {
  const { id } = useSession().account;
  const { comments } = useClient().drafts;
  const draft = useSyncExternalStore(comments.subscribe, () => comments.get(id, target));
  const handle = useMemo(
    () => ({
      /** Returns the current draft, also outside of a render. */
      current: () => comments.get(id, target),
      change: (change: (before: CommentDraft) => CommentDraft) => comments.change(id, target, change(comments.get(id, target))),
      /** Clears the draft in this page at once, and in the browser's storage once `stored` settles. */
      onSent: (stored: Promise<unknown>) => comments.onSent(id, target, comments.get(id, target), stored),
    }),
    [comments, id, target],
  );
  return [draft, handle] as const;
}

/** Returns a function that prepends text to the draft reply to a comment. */
export function usePrependReply(accountId: number): (commentId: number, added: EditableText) => void {
  const { comments } = useClient().drafts;
  return useCallback(
    (commentId, added) => {
      const { text, mentions } = prependText(comments.get(accountId, `comment.${commentId}`), added);
      comments.change(accountId, `comment.${commentId}`, { text, mentions: [...mentions] });
    },
    [comments, accountId],
  );
}
