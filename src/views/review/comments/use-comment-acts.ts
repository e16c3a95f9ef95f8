import { useMemo } from "react";
import { useNavigate } from "react-router";
import { t } from "../../../lib/messages/comments.ts";
import { useChangeComments } from "../../../queries/comments/use-change-comments.ts";
import { useCommentOutbox } from "../../../queries/comments/use-comments.ts";
import type { Mark } from "../../../queries/drafts/comment-drafts.ts";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import { explain } from "../../../queries/problems.ts";
import { announce } from "../../../ui/announce.ts";
import { showToast } from "../../../ui/toast.ts";
import type { Clock } from "./clock.ts";
import type { CommentActs } from "./comments-room.ts";
import { pathOf } from "./model/filter.ts";
import type { Note, Thread } from "./model/threads.ts";
import { leaveRow, reveal } from "./reveal.ts";
import type { Hands } from "./use-hands.ts";

interface Input {
  fileId: number;
  projectId: number;
  accountId: number;
  clock: Clock | null;
  threads: readonly Thread[] | undefined;
  hands: Hands;
  hold(key: string): void;
  /** Back into the composer. */
  compose(text: string, mark: Mark): void;
  /** Back into the field for answers. */
  answer(commentId: number, text: string): void;
}

/** What can be done with comments, with a word about what fails. */
export function useCommentActs({ fileId, projectId, accountId, clock, threads, hands, hold, compose, answer }: Input): CommentActs {
  const change = useChangeComments(accountId);
  const outbox = useCommentOutbox();
  const navigate = useNavigate();
  const { select, reply, editing } = hands;
  const { all: edits, edit, type, change: changeEdit, stop } = editing;

  return useMemo((): CommentActs => {
    const failed = (text: string) => (error: unknown) => void showToast({ text: `${text} ${explain(error).title}`, tone: "bad" });
    const copy = async (text: string, done: string) => {
      try {
        await navigator.clipboard.writeText(text);
        showToast({ text: done });
      } catch {
        // Not on plain http, and not where it is forbidden.
        showToast({ text: t("notCopied", { text }), tone: "bad" });
      }
    };
    const idOf = ({ comment }: Note) => comment!.id;
    return {
      open(thread, { fromList }) {
        if (thread.at !== null) clock?.seek(thread.at / 1_000);
        select(thread.key);
        if (!fromList) reveal(thread.key);
      },
      select,
      startReply: (thread) => reply(idOf(thread)),
      leaveReply: () => reply(null),
      sendReply(thread, body) {
        const comment = { fileId, version: thread.version, at: null, end: null, parentId: idOf(thread) };
        const { clientId } = outbox.add({ projectId, accountId, body, uploads: [], quote: null, comment });
        reply(null);
        return outbox.stored(clientId);
      },
      startEdit: (note) => edit(idOf(note), { text: note.body, named: [] }),
      typeEdit: (note, text) => type(idOf(note), text),
      leaveEdit(note) {
        if (note.comment?.deleted) leaveRow(note.key, note.comment.parent_comment_id !== null);
        stop(idOf(note));
      },
      saveEdit(note, body) {
        const id = idOf(note);
        if (body === note.body) return stop(id);
        changeEdit(id, { saving: true, fault: null });
        change.edit(id, body).then(
          // What was typed meanwhile is not saved yet.
          () => (cleanDraft(edits().get(id)?.text ?? body) === body ? stop(id) : changeEdit(id, { saving: false, before: body })),
          (error: unknown) => changeEdit(id, { saving: false, fault: t("notSaved", { fault: explain(error).title }) }),
        );
      },
      remove(note) {
        const id = idOf(note);
        leaveRow(note.key, note.comment?.parent_comment_id !== null);
        stop(id);
        reply((now) => (now === id ? null : now));
        const restore = () => void change.restore(id).then(() => announce(t("restored")), failed(t("notRestored")));
        change.remove(id).then(() => showToast({ text: t("deleted"), action: { label: t("undo"), run: restore } }), failed(t("notDeleted")));
      },
      resolve(thread, resolved) {
        hold(thread.key);
        announce(t(resolved ? "resolved" : "reopened"));
        change.resolve(idOf(thread), resolved).catch(failed(t("notResolved")));
      },
      copyText: ({ body }) => void copy(body, t("textCopied")),
      copyLink: (note) => void copy(location.origin + pathOf(fileId, idOf(note)), t("linkCopied")),
      showInChat: (note) =>
        void change.showInChat(idOf(note)).then(
          ({ id }) => {
            const run = () => void navigate(`/projects/${projectId}/chat/${id}`);
            showToast({ text: t("shown"), action: { label: t("goThere"), run } });
          },
          failed(t("notShown")),
        ),
      retry: ({ entry }) => outbox.retry(entry!.clientId),
      discard({ key, entry }) {
        leaveRow(key, entry!.comment?.parentId !== null);
        outbox.discard(entry!.clientId);
      },
      takeBack({ entry, body, at, end, version }) {
        const parentId = entry?.comment?.parentId ?? null;
        const thread = threads?.find(({ comment }) => comment?.id === parentId);
        outbox.discard(entry!.clientId);
        // Nobody can answer what is not there any more.
        if (parentId === null || !thread?.comment || thread.comment.deleted)
          return compose(body, at === null ? { kind: "none", version } : { kind: "at", at, end, auto: false, version });
        answer(parentId, body);
        reply(thread.comment.id);
      },
    };
  }, [fileId, projectId, accountId, clock, threads, hold, compose, answer, change, outbox, navigate, select, reply, edits, edit, type, changeEdit, stop]);
}
