import { useMemo } from "react";
import { useNavigate } from "react-router";
import { createActionNotices } from "../../../components/message-text/action-notices.ts";
import { t } from "../../../lib/texts/comments.ts";
import { useCommentMutations, useCommentOutbox } from "../../../queries/comments/use-comments.ts";
import type { CommentAnchor } from "../../../sync/drafts/use-comment-draft.ts";
import { announce } from "../../../ui/announce.ts";
import { useToasts } from "../../../ui/toast.ts";
import type { CommentActions } from "./comments-context.ts";
import type { CommentPlayback } from "./playback.ts";
import { moveFocusFromRow } from "./row-focus.ts";
import { type CommentItem, commentPath, type Thread } from "./threads.ts";
import type { ListState } from "./use-threads.ts";

interface CommentActionsOptions {
  fileId: number;
  projectId: number;
  accountId: number;
  playback: CommentPlayback | null;
  threads: readonly Thread[] | undefined;
  listState: ListState;
  keepVisible(key: string): void;
  /** Returns the text and anchor to the composer. */
  restoreDraft(text: string, anchor: CommentAnchor): void;
  /** Returns the text to the reply form. */
  prependReply(commentId: number, text: string): void;
}

/** Creates the comment actions, which show a toast when they fail. */
export function useCommentActions({
  fileId,
  projectId,
  accountId,
  playback,
  threads,
  listState,
  keepVisible,
  restoreDraft,
  prependReply,
}: CommentActionsOptions): CommentActions {
  const mutations = useCommentMutations(accountId);
  const outbox = useCommentOutbox();
  const navigate = useNavigate();
  const toasts = useToasts();
  const { select, reveal, setReplyingTo: reply, editing } = listState;
  const { start: startEdit, setText, save: saveEdit, stop: stopEdit } = editing;

  return useMemo((): CommentActions => {
    const idOf = ({ comment }: CommentItem) => comment!.id;
    const notices = createActionNotices((text, isError) => void toasts.show({ text, tone: isError ? "danger" : "neutral" }));
    return {
      open(thread, { isFromList }) {
        if (thread.startMs !== null) playback?.seek(thread.startMs / 1_000);
        select(thread.key);
        if (!isFromList) reveal(thread.key, "user");
      },
      startReply: (thread) => reply(idOf(thread)),
      closeReply: () => reply(null),
      sendReply(thread, body) {
        const comment = { fileId, version: thread.version, at: null, end: null, parentId: idOf(thread) };
        const { clientId } = outbox.add({ projectId, accountId, body, uploads: [], quote: null, comment });
        reply(null);
        return outbox.whenStored(clientId);
      },
      startEdit: (item) => startEdit(idOf(item), { text: item.body, mentions: [] }),
      setEditText: (item, text) => setText(idOf(item), text),
      cancelEdit(item) {
        if (item.comment?.deleted) moveFocusFromRow(item.key, item.comment.parent_comment_id !== null);
        stopEdit(idOf(item));
      },
      saveEdit(item, body) {
        const id = idOf(item);
        saveEdit(id, { body, storedBody: item.body }, () => mutations.edit(id, body));
      },
      remove(item) {
        const id = idOf(item);
        moveFocusFromRow(item.key, item.comment?.parent_comment_id !== null);
        stopEdit(id);
        reply((current) => (current === id ? null : current));
        const restore = () => void mutations.restore(id).then(() => announce(t("restored")), notices.failure(t("notRestored")));
        mutations.remove(id).then(() => toasts.show({ text: t("deleted"), action: { label: t("undo"), run: restore } }), notices.failure(t("notDeleted")));
      },
      resolve(thread, isResolved) {
        keepVisible(thread.key);
        announce(t(isResolved ? "resolved" : "reopened"));
        mutations.resolve(idOf(thread), isResolved).catch(notices.failure(t("notResolved")));
      },
      copyText: ({ body }) => notices.copyText(body),
      copyLink: (item) => notices.copyLink(commentPath(fileId, idOf(item))),
      postInChat: (item) =>
        void mutations.postInChat(idOf(item)).then(
          ({ id }) => {
            const run = () => void navigate(`/projects/${projectId}/chat/${id}`);
            toasts.show({ text: t("posted"), action: { label: t("view"), run } });
          },
          notices.failure(t("notPosted")),
        ),
      retry: ({ entry }) => outbox.retry(entry!.clientId),
      discard({ key, entry }) {
        moveFocusFromRow(key, entry!.comment?.parentId !== null);
        outbox.discard(entry!.clientId);
      },
      undoSend({ entry, body, startMs, endMs, version }) {
        const parentId = entry?.comment?.parentId ?? null;
        const thread = threads?.find(({ comment }) => comment?.id === parentId);
        outbox.discard(entry!.clientId);
        // The text returns to the composer when its parent comment no longer exists.
        if (parentId === null || !thread?.comment || thread.comment.deleted)
          return restoreDraft(body, startMs === null ? { kind: "none", version } : { kind: "at", startMs, endMs, auto: false, version });
        prependReply(parentId, body);
        reply(thread.comment.id);
      },
    };
  }, [
    fileId,
    projectId,
    accountId,
    playback,
    threads,
    keepVisible,
    restoreDraft,
    prependReply,
    mutations,
    outbox,
    navigate,
    toasts,
    select,
    reveal,
    reply,
    startEdit,
    setText,
    saveEdit,
    stopEdit,
  ]);
}
