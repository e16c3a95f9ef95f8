/** What becomes of a comment: edited, resolved, deleted, brought back, shown in the chat. Each change has its revision and its event. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { SECOND } from "../../lib/clock.ts";
import { conflict, forbidden, invalid } from "../../lib/faults.ts";
import type { CommentRow } from "../../presenters/comments.ts";
import { demand, type Actor } from "../access.ts";
import { changeComment, commentRow } from "../comment-rows.ts";
import type { CommentDeps } from "./deps.ts";
import { placeInWords } from "./place-in-words.ts";
import { tellReaders, unreadOfAll } from "./reads.ts";
import { lockedComment } from "./repository.ts";
import { demandWords } from "./service.ts";

/** What is undefined stays. */
export interface CommentChanges {
  body?: string | undefined;
  resolved?: boolean | undefined;
}
type Columns = Partial<Pick<Row<"comments">, "body" | "edited_at" | "resolved_at" | "resolved_by" | "deleted_at" | "deleted_by">>;

const demandStanding = ({ deleted_at }: CommentRow): void => {
  if (deleted_at !== null) throw conflict("This comment was deleted.");
};

export function createCommentChanges<Sent>({ database, events, clock, chat }: CommentDeps<Sent>) {
  const isOwn = (comment: CommentRow, actor: Actor) => ({ own: comment.account_id === actor.accountId });

  /** One change at a time in a project. `work` answers what of the comment becomes another one; null: nothing, and nobody hears of it. */
  function change(actor: Actor, id: number, work: (comment: CommentRow) => Columns | null): Promise<CommentRow> {
    return database.write(async (tx) => {
      const { comment, file } = await lockedComment(tx, events, actor, id);
      const columns = work(comment);
      if (columns === null) return comment;
      const comesOrGoes = "deleted_at" in columns;
      const readers = comesOrGoes ? await unreadOfAll(tx, file) : null;
      const changed = await changeComment(tx, events, id, columns);
      if (comesOrGoes || "body" in columns) await chat.retell(tx, comment.project_id, id);
      if (readers) await tellReaders(tx, events, file, readers);
      return changed;
    });
  }

  /** What would be another value than before; null: nothing. */
  function differences(actor: Actor, comment: CommentRow, { body, resolved }: CommentChanges): Columns | null {
    const columns: Columns = {};
    if (body !== undefined && body !== comment.body) Object.assign(columns, { body, edited_at: clock.now() });
    if (resolved !== undefined && comment.parent_id !== null) throw invalid("resolved", "must be left out: only a comment that is no reply can be resolved");
    if (resolved !== undefined && resolved !== (comment.resolved_at !== null))
      Object.assign(columns, { resolved_at: resolved ? clock.now() : null, resolved_by: resolved ? actor.accountId : null });
    return Object.keys(columns).length > 0 ? columns : null;
  }

  return {
    /** The same text again, or the same state, changes nothing. */
    async update(actor: Actor, id: number, changes: CommentChanges): Promise<CommentRow> {
      if (changes.body !== undefined) demandWords(changes.body);
      return change(actor, id, (comment) => {
        const refusal = changes.body === undefined ? "Guests resolve only what they began themselves." : "Only who wrote a comment can change what it says.";
        demand(actor, "comment.edit", { ...isOwn(comment, actor), resolving: changes.body === undefined }, refusal);
        demandStanding(comment);
        return differences(actor, comment, changes);
      });
    },

    /** Keeps the row: replies stay below it, and it can be brought back for a while. */
    remove: (actor: Actor, id: number) =>
      change(actor, id, (comment) => {
        demand(actor, "comment.delete", isOwn(comment, actor), "Only who wrote a comment, an admin or the owner can delete it.");
        return comment.deleted_at === null ? { deleted_at: clock.now(), deleted_by: actor.accountId } : null;
      }),

    restore: (actor: Actor, id: number) =>
      change(actor, id, (comment) => {
        demand(actor, "comment.delete", isOwn(comment, actor), "Only who deleted a comment can bring it back.");
        if (comment.deleted_at === null) return null;
        if (comment.deleted_by !== actor.accountId) throw forbidden("Only who deleted a comment can bring it back.");
        if (clock.now() - comment.deleted_at > LIMITS.comment_restore_seconds * SECOND)
          throw conflict(`A deleted comment can be brought back for ${LIMITS.comment_restore_seconds / 60} minutes; that time is over.`);
        return { deleted_at: null, deleted_by: null };
      }),

    /** While a message shows it, that one is answered. */
    showInChat: (actor: Actor, id: number): Promise<Sent> =>
      database.write(async (tx: Tx) => {
        const { comment, file } = await lockedComment(tx, events, actor, id);
        demand(actor, "chat.write", {}, "Your role does not allow this in this project.");
        demandStanding(comment);
        if (comment.message_id !== null) return chat.message(tx, comment.project_id, comment.message_id);
        const stands = comment.parent_id === null ? comment : await commentRow(tx, comment.parent_id);
        const wish = { projectId: comment.project_id, commentId: id, body: placeInWords(file.name, stands.position_ms, stands.end_ms) };
        const messageId = await chat.show(tx, actor, wish);
        await changeComment(tx, events, id, {});
        return chat.message(tx, comment.project_id, messageId);
      }),
  };
}
