import { useNavigate } from "react-router";
import { createActionNotices } from "../../../components/message-text/action-notices.ts";
import { t } from "../../../lib/texts/comments.ts";
import { useClient } from "../../../client/client.ts";
import { useCommentMutations } from "../../../queries/comments/use-comments.ts";
import { type CommentAnchor, usePrependReply } from "../../../sync/drafts/use-comment-draft.ts";
import { announce } from "../../../ui/announce.ts";
import { useToasts } from "../../../ui/toast.ts";
import { useStableFunctions } from "../../../ui/use-stable-functions.ts";
import { moveFocusFromRow } from "./row-focus.ts";
import { type CommentItem, commentPath, type Thread } from "./threads.ts";
import type { CommentedFile, ListState, useThreads } from "./use-threads.ts";

export type CommentActions = ReturnType<typeof useCommentActions>;

/** Returns the comment actions, which show a toast when they fail. `restoreDraft` returns text and anchor to the composer. */
export function useCommentActions(
  { fileId, projectId, playback }: CommentedFile,
  accountId: number,
  { threads, keepVisible }: Pick<ReturnType<typeof useThreads>, "threads" | "keepVisible">,
  { select, reveal, setReplyingTo, editing }: ListState,
  restoreDraft: (text: string, anchor: CommentAnchor) => void,
) {
  const mutations = useCommentMutations(accountId);
  const { outbox } = useClient();
  const prependReply = usePrependReply(accountId);
  const navigate = useNavigate();
  const toasts = useToasts();
  const notices = createActionNotices((text, isError) => void toasts.show({ text, tone: isError ? "danger" : "neutral" }));
  const idOf = ({ comment }: CommentItem) => comment!.id;
  return useStableFunctions({
    /** Seeks to the comment's position. Also scrolls the list to the comment and focuses it, unless the click came from the list. */
    open(thread: Thread, { isFromList }: { isFromList: boolean }) {
      if (thread.startMs !== null) playback?.seek(thread.startMs / 1_000);
      select(thread.key);
      if (!isFromList) reveal(thread.key, "user");
    },
    startReply: (thread: Thread) => setReplyingTo(idOf(thread)),
    /** Closes the reply form and keeps its draft. */
    closeReply: () => setReplyingTo(null),
    sendReply(thread: Thread, body: string) {
      const comment = { fileId, version: thread.version, at: null, end: null, parentId: idOf(thread) };
      const { clientId } = outbox.add({ projectId, accountId, body, uploads: [], quote: null, comment });
      setReplyingTo(null);
      return outbox.whenStored(clientId);
    },
    startEdit: (item: CommentItem) => editing.start(idOf(item), { text: item.body, mentions: [] }),
    setEditText: (item: CommentItem, text: string) => editing.setText(idOf(item), text),
    cancelEdit(item: CommentItem) {
      if (item.comment?.deleted) moveFocusFromRow(item.key, item.comment.parent_comment_id !== null);
      editing.stop(idOf(item));
    },
    saveEdit(item: CommentItem, body: string) {
      const id = idOf(item);
      editing.save(id, { body, storedBody: item.body }, () => mutations.edit(id, body));
    },
    remove(item: CommentItem) {
      const id = idOf(item);
      moveFocusFromRow(item.key, item.comment?.parent_comment_id !== null);
      editing.stop(id);
      setReplyingTo((current) => (current === id ? null : current));
      const restore = () => void mutations.restore(id).then(() => announce(t("restored")), notices.failure(t("notRestored")));
      mutations.remove(id).then(() => toasts.show({ text: t("deleted"), action: { label: t("undo"), run: restore } }), notices.failure(t("notDeleted")));
    },
    resolve(thread: Thread, isResolved: boolean) {
      keepVisible(thread.key);
      announce(t(isResolved ? "resolved" : "reopened"));
      mutations.resolve(idOf(thread), isResolved).catch(notices.failure(t("notResolved")));
    },
    copyText: ({ body }: Pick<CommentItem, "body">) => notices.copyText(body),
    copyLink: (item: CommentItem) => notices.copyLink(commentPath(fileId, idOf(item))),
    postInChat(item: CommentItem) {
      const showPosted = ({ id }: { id: number }) => {
        const run = () => void navigate(`/projects/${projectId}/chat/${id}`);
        toasts.show({ text: t("posted"), action: { label: t("view"), run } });
      };
      void mutations.postInChat(idOf(item)).then(showPosted, notices.failure(t("notPosted")));
    },
    retry: ({ entry }: CommentItem) => outbox.retry(entry!.clientId),
    discard({ key, entry }: CommentItem) {
      moveFocusFromRow(key, entry!.comment?.parentId !== null);
      outbox.discard(entry!.clientId);
    },
    /** Removes the pending comment from the outbox and returns its text to the form it came from. */
    undoSend({ entry, body, startMs, endMs, version }: CommentItem) {
      const parentId = entry?.comment?.parentId ?? null;
      const thread = threads?.find(({ comment }) => comment?.id === parentId);
      outbox.discard(entry!.clientId);
      // The text returns to the composer when its parent comment no longer exists.
      if (parentId === null || !thread?.comment || thread.comment.deleted)
        return restoreDraft(body, startMs === null ? { kind: "none", version } : { kind: "at", startMs, endMs, auto: false, version });
      prependReply(parentId, body);
      setReplyingTo(thread.comment.id);
    },
  });
}
