/** What becomes of a message after it was sent: edited, deleted, brought back, reacted to. Each change has its revision and its event. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { unsay } from "../../events/unsay.ts";
import { SECOND } from "../../lib/clock.ts";
import { conflict, forbidden, invalid, notFound } from "../../lib/faults.ts";
import { presentMessage } from "../../presenters/messages.ts";
import { demand, projectFor, type Actor } from "../access.ts";
import { changeComment } from "../comment-rows.ts";
import type { DomainDeps } from "../deps.ts";
import { namedIn, replaceMentions } from "./mentions.ts";
import { indexMessage, unindexMessage } from "./search-index.ts";
import { plainMessageIn } from "./repository.ts";
import { sentMessage, type SentMessage } from "./sent.ts";
import { tellWaiting, waitingFor } from "./waiting.ts";

export interface MessagePlace {
  projectId: number;
  messageId: number;
}
type Plain = Row<"messages">;
/** What of the message itself changes; null: nothing, so there is no event either. */
type Change = Partial<Pick<Plain, "body" | "edited_at" | "deleted_at" | "deleted_by">> | null;
/** Whose counts of unread messages a change may touch, if they have not read the message; null: everybody's. */
type Counts = (message: Plain) => readonly number[] | null;
const nobody: Counts = () => [];
const everybody: Counts = () => null;

export function createMessageChanges({ database, events, clock, present }: DomainDeps) {
  /** One change at a time in a project: revisions and events go up together, and nobody's change is written over. */
  function change(
    actor: Actor,
    { projectId, messageId }: MessagePlace,
    work: (tx: Tx, message: Plain) => Promise<Change>,
    counts: Counts = nobody,
  ): Promise<SentMessage> {
    return database.write(async (tx) => {
      await projectFor(tx, actor, "chat.read", projectId);
      const topic = topicOf.project(projectId);
      await events.lock(tx, topic);
      const message = await plainMessageIn(tx, projectId, messageId);
      if (!message) throw notFound("message");
      const waiting = await waitingFor(tx, message, counts(message));
      const changes = await work(tx, message);
      if (changes === null) return sentMessage(tx, present, projectId, messageId);
      await tx
        .updateTable("messages")
        .set({ ...changes, revision: message.revision + 1 })
        .where("id", "=", messageId)
        .execute();
      await keepFound(tx, message, changes);
      const changed = await sentMessage(tx, present, projectId, messageId);
      const told = presentMessage(changed);
      if ("body" in changes || "deleted_at" in changes) await unsay(tx, told);
      await events.append(tx, topic, "message.updated", told, { messageId, quotedId: message.parent_id });
      // Whether a message shows it is part of what is told of a comment.
      if (message.comment_id !== null && "deleted_at" in changes) await changeComment(tx, events, message.comment_id, {});
      await tellWaiting(tx, events, message, waiting);
      return changed;
    });
  }

  /** What the search finds is what stands. */
  async function keepFound(tx: Tx, message: Plain, changes: NonNullable<Change>): Promise<void> {
    const deleted = "deleted_at" in changes && changes.deleted_at !== null;
    if (deleted) return unindexMessage(tx, database.engine, message.id);
    if ("body" in changes || "deleted_at" in changes) await indexMessage(tx, database.engine, { ...message, ...changes }, await carriesFiles(tx, message.id));
  }

  const demandStanding = ({ deleted_at }: Plain): void => {
    if (deleted_at !== null) throw conflict("This message was deleted.");
  };

  async function carriesFiles(tx: Tx, messageId: number): Promise<boolean> {
    return (await tx.selectFrom("attachments").select("file_id").where("message_id", "=", messageId).limit(1).executeTakeFirst()) !== undefined;
  }

  async function usedEmoji(tx: Tx, messageId: number): Promise<string[]> {
    const rows = await tx.selectFrom("reactions").select("emoji").distinct().where("message_id", "=", messageId).execute();
    return rows.map(({ emoji }) => emoji);
  }

  return {
    /** The same text again changes nothing. */
    edit: (actor: Actor, place: MessagePlace, body: string) => {
      const named: Counts = (message) => [...namedIn(message.body), ...namedIn(body)];
      return change(
        actor,
        place,
        async (tx, message) => {
          demand(actor, "message.edit", { own: message.account_id === actor.accountId }, "Only who wrote a message can change it.");
          demandStanding(message);
          if (body === message.body) return null;
          if (body.trim() === "" && !(await carriesFiles(tx, message.id))) throw invalid("body", "must not be empty");
          await replaceMentions(tx, message, body);
          return { body, edited_at: clock.now() };
        },
        named,
      );
    },

    /** Keeps the row: what was deleted holds its place, and can be brought back for a while. */
    remove: (actor: Actor, place: MessagePlace) =>
      change(
        actor,
        place,
        async (_tx, message) => {
          demand(actor, "message.delete", { own: message.account_id === actor.accountId }, "Only who wrote a message, an admin or the owner can delete it.");
          return message.deleted_at === null ? { deleted_at: clock.now(), deleted_by: actor.accountId } : null;
        },
        everybody,
      ),

    restore: (actor: Actor, place: MessagePlace) =>
      change(
        actor,
        place,
        async (_tx, message) => {
          demand(actor, "message.delete", { own: message.account_id === actor.accountId }, "Only who deleted a message can bring it back.");
          if (message.deleted_at === null) return null;
          if (message.deleted_by !== actor.accountId) throw forbidden("Only who deleted a message can bring it back.");
          if (clock.now() - message.deleted_at > LIMITS.message_restore_seconds * SECOND)
            throw conflict(`A deleted message can be brought back for ${LIMITS.message_restore_seconds / 60} minutes; that time is over.`);
          return { deleted_at: null, deleted_by: null };
        },
        everybody,
      ),

    react: (actor: Actor, place: MessagePlace, emoji: string) =>
      change(actor, place, async (tx, message) => {
        demand(actor, "chat.write", {}, "Your role does not allow this in this project.");
        demandStanding(message);
        const used = await usedEmoji(tx, message.id);
        if (!used.includes(emoji) && used.length >= LIMITS.reactions_per_message)
          throw conflict(`A message can have at most ${LIMITS.reactions_per_message} different reactions.`);
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto("reactions")
          .values({ message_id: message.id, emoji, account_id: actor.accountId, created_at: clock.now() })
          .onConflict((on) => on.doNothing())
          .executeTakeFirst();
        return Number(numInsertedOrUpdatedRows) === 0 ? null : {};
      }),

    unreact: (actor: Actor, place: MessagePlace, emoji: string) =>
      change(actor, place, async (tx, message) => {
        demand(actor, "chat.write", {}, "Your role does not allow this in this project.");
        demandStanding(message);
        const { numDeletedRows } = await tx
          .deleteFrom("reactions")
          .where("message_id", "=", message.id)
          .where("emoji", "=", emoji)
          .where("account_id", "=", actor.accountId)
          .executeTakeFirst();
        return Number(numDeletedRows) === 0 ? null : {};
      }),
  };
}
