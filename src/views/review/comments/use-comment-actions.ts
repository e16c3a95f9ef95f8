import { useNavigate } from "react-router";
import { createActionNotices } from "../../../components/message-text/action-notices.ts";
import { t } from "../../../lib/texts/comments.ts";
import { useClient } from "../../../client/client.ts";
import { useCommentMutations } from "../../../queries/comments/use-comments.ts";
import { type CommentAnchor, usePrependReply } from "../../../sync/drafts/use-comment-draft.ts";
import { type EditableText, type Mention, parseMentions, toEditableText } from "../../../sync/drafts/draft-text.ts";
import type { Upload } from "../../../sync/uploads/upload.ts";
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
  restoreDraft: (text: EditableText, anchor: CommentAnchor) => void,
  nameOf: (accountId: number) => string,
) {
  const mutations = useCommentMutations(accountId);
  const { outbox } = useClient();
  const prependReply = usePrependReply(accountId);
  const navigate = useNavigate();
  const toasts = useToasts();
  const notices = createActionNotices((text, isError) => void toasts.show({ text, tone: isError ? "danger" : "neutral" }));
  const toEditable = ({ body, comment }: Pick<CommentItem, "body" | "comment">) => toEditableText(body, comment?.mentions ?? [], nameOf);
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
    sendReply(thread: Thread, body: string, uploads: readonly Pick<Upload, "id">[]) {
      const comment = { fileId, version: thread.version, at: null, end: null, parentId: idOf(thread) };
      const { clientId } = outbox.add({ projectId, accountId, body, uploads: uploads.map(({ id }) => id), quote: null, comment });
      setReplyingTo(null);
      return outbox.whenStored(clientId);
    },
    startEdit: (item: CommentItem) => editing.start(idOf(item), toEditable(item)),
    setEditText: (item: CommentItem, text: string, addedMentions?: readonly Mention[]) => editing.setText(idOf(item), text, addedMentions),
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
    copyText: (item: Pick<CommentItem, "body" | "comment">) => notices.copyText(toEditable(item).text),
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
    undoSend(item: CommentItem) {
      const { entry, body, startMs, endMs, version } = item;
      const text = toEditableText(body, parseMentions(body), nameOf);
      const parentId = entry?.comment?.parentId ?? null;
      const thread = threads?.find(({ comment }) => comment?.id === parentId);
      outbox.discard(entry!.clientId);
      // The text returns to the composer when its parent comment no longer exists.
      if (parentId === null || !thread?.comment || thread.comment.deleted)
        return restoreDraft(text, startMs === null ? { kind: "none", version } : { kind: "at", startMs, endMs, auto: false, version });
      prependReply(parentId, text);
      setReplyingTo(thread.comment.id);
    },
  });
}
