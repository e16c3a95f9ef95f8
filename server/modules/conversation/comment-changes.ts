/** Edits, resolves, deletes, restores and shares comments; each change increments the revision and appends one event. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { authorFacts } from "../../../contract/policy.ts";
import { type Actor, assertCan } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import { SECOND } from "../../lib/clock.ts";
import { conflict, invalid } from "../../lib/errors.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { publishUnreadAbout } from "../notifications/notify.ts";
import type { CommentMessages } from "./comment-messages.ts";
import { updateCommentMentions } from "./comment-notifications.ts";
import type { CommentRow, CommentView } from "./comment-presenter.ts";
import { loadUnreadByAccount, publishReadPositions } from "./comment-reads.ts";
import { type CommentUpdate, hasCommentAttachments, loadCommentRow, loadCommentView, lockComment, updateComment } from "./comment-repository.ts";
import { assertBody } from "./comments.ts";
import { replaceCommentMentions } from "./mentions.ts";
import type { MessageView } from "./message-view.ts";

/** Undefined members stay unchanged. */
interface CommentChanges {
  body?: string | undefined;
  resolved?: boolean | undefined;
}

export function createCommentChanges(deps: FileViewDeps & { commentMessages: CommentMessages }) {
  const { database, events, clock, present, notify, commentMessages } = deps;
  /**
   * Applies one change at a time per project; if `buildUpdate` returns null, nothing changes and no event is published. `moderation`: the action to record
   * if the comment is another person's.
   */
  function applyUpdate(
    actor: Actor,
    id: number,
    buildUpdate: (comment: CommentRow, hasAttachments: boolean) => CommentUpdate | null,
    moderation: "comment.deleted" | "comment.restored" | null = null,
  ): Promise<CommentView> {
    return database.write(async (tx) => {
      const { comment, file } = await lockComment(tx, events, actor, id);
      const columns = buildUpdate(comment, await hasCommentAttachments(tx, id));
      if (columns === null) return loadCommentView(tx, present, id);
      if (moderation && comment.account_id !== actor.accountId)
        await auditActor(tx, clock.now(), actor, moderation, `comment:${id}`, { account_id: comment.account_id });
      const deletionChanged = "deleted_at" in columns;
      const unreadBefore = deletionChanged ? await loadUnreadByAccount(tx, file) : null;
      if (columns.body !== undefined) await updateCommentMentions(tx, { notify, events }, comment, await replaceCommentMentions(tx, comment, columns.body));
      const updated = await updateComment(tx, deps, id, columns);
      if (deletionChanged || "body" in columns) await updateSearchIndex(tx, id, updated.deleted_at !== null);
      if (deletionChanged || "body" in columns) await commentMessages.republish(tx, comment.project_id, id);
      if (unreadBefore) publishReadPositions(tx, events, file, unreadBefore);
      if (deletionChanged) await publishUnreadAbout(tx, events, "comment_id", sql`${id}`);
      return updated;
    });
  }

  const updateSearchIndex = (tx: Tx, id: number, isDeleted: boolean): Promise<void> =>
    isDeleted ? removeSearchDocuments(tx, database.engine, "comment", [id]) : indexRecords(tx, database.engine, "comment", [id]);

  /** Returns the columns whose value differs; null if none does. */
  function diffComment(actor: Actor, comment: CommentRow, { body, resolved }: CommentChanges): CommentUpdate | null {
    const columns: CommentUpdate = {};
    if (body !== undefined && body !== comment.body) Object.assign(columns, { body, edited_at: clock.now() });
    if (resolved !== undefined && comment.parent_id !== null) throw invalid("resolved", "must be omitted: replies cannot be resolved");
    if (resolved !== undefined && resolved !== (comment.resolved_at !== null))
      Object.assign(columns, { resolved_at: resolved ? clock.now() : null, resolved_by: resolved ? actor.accountId : null });
    return Object.keys(columns).length > 0 ? columns : null;
  }

  return {
    /** Makes no change if both text and state are the same. */
    async update(actor: Actor, id: number, changes: CommentChanges): Promise<CommentView> {
      return applyUpdate(actor, id, (comment, hasAttachments) => {
        const denialReason = changes.body === undefined ? "Guests can only resolve threads they started." : "Only the author can edit a comment.";
        assertCan(actor, "comment.edit", { ...authorFacts(comment, actor.accountId), isResolving: changes.body === undefined }, denialReason);
        assertNotDeleted(comment);
        if (changes.body !== undefined) assertBody(changes.body, hasAttachments);
        return diffComment(actor, comment, changes);
      });
    },

    /** Keeps the row, so that replies keep their parent and the comment can be restored for a limited time. */
    remove: (actor: Actor, id: number) =>
      applyUpdate(
        actor,
        id,
        (comment) => {
          assertCan(actor, "comment.delete", authorFacts(comment, actor.accountId), "Only the author, an admin or an owner can delete a comment.");
          return comment.deleted_at === null ? { deleted_at: clock.now(), deleted_by: actor.accountId } : null;
        },
        "comment.deleted",
      ),

    restore: (actor: Actor, id: number) =>
      applyUpdate(
        actor,
        id,
        (comment) => {
          const isDeletedByOther = comment.deleted_at !== null && comment.deleted_by !== actor.accountId;
          const facts = { ...authorFacts(comment, actor.accountId), isDeletedByOther };
          assertCan(actor, "comment.restore", facts, "Only the person who deleted a comment can restore it.");
          if (comment.deleted_at === null) return null;
          if (clock.now() - comment.deleted_at > LIMITS.comment_restore_seconds * SECOND)
            throw conflict(`A deleted comment can only be restored within ${LIMITS.comment_restore_seconds / 60} minutes.`);
          return { deleted_at: null, deleted_by: null };
        },
        "comment.restored",
      ),

    /** Returns the existing message if one already shows the comment. */
    showInChat: (actor: Actor, id: number): Promise<MessageView> =>
      database.write(async (tx: Tx) => {
        const { comment, file } = await lockComment(tx, events, actor, id);
        assertCan(actor, "chat.write", {}, "Your role does not allow this in this project.");
        assertNotDeleted(comment);
        if (comment.message_id !== null) return commentMessages.load(tx, comment.project_id, comment.message_id);
        const rootComment = comment.parent_id === null ? comment : await loadCommentRow(tx, comment.parent_id);
        const input = { projectId: comment.project_id, commentId: id, body: formatPosition(file.name, rootComment.position_ms, rootComment.end_ms) };
        const messageId = await commentMessages.post(tx, actor, input);
        await updateComment(tx, deps, id, {});
        return commentMessages.load(tx, comment.project_id, messageId);
      }),
  };
}

const assertNotDeleted = ({ deleted_at }: CommentRow): void => {
  if (deleted_at !== null) throw conflict("This comment was deleted.");
};

/** Formats the text of a message that shows a comment, for clients that display only text: "mix_v4.wav 1:23" or "mix_v4.wav 2:10–2:18". */
function formatPosition(fileName: string, positionMs: number | null, endMs: number | null): string {
  if (positionMs === null) return fileName;
  return endMs === null ? `${fileName} ${formatTime(positionMs)}` : `${fileName} ${formatTime(positionMs)}–${formatTime(endMs)}`;
}

const formatTime = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const pad = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
};
