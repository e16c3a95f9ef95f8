/** Edits, deletes and restores messages and toggles reactions; each change increments the revision and appends one event. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { authorFacts } from "../../../contract/policy.ts";
import { assertCan, loadAuthorizedProject, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { topicOf } from "../../events/log.ts";
import { SECOND } from "../../lib/clock.ts";
import { conflict, invalid, notFound } from "../../lib/errors.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { publishUnreadAbout } from "../notifications/notify.ts";
import { updateComment } from "./comment-repository.ts";
import { parseMentions, replaceMentions } from "./mentions.ts";
import { updateMentionNotifications } from "./message-notifications.ts";
import { findMessageRow, indexMessage, unindexMessage } from "./message-repository.ts";
import { loadMessageView, presentMessage, type MessageView } from "./message-view.ts";
import { redactMessage } from "./redact.ts";
import { publishUnreadCounts, loadUnreadCounts } from "./unread-notifications.ts";

export interface MessageRef {
  projectId: number;
  messageId: number;
}
type Message = Row<"messages">;
/** The message columns to update; null means that nothing changed, so no event is appended. */
type MessageChanges = Partial<Pick<Message, "body" | "edited_at" | "deleted_at" | "deleted_by">> | null;
/** Returns the accounts whose unread counts the change may affect if they have not read the message; null means everyone. */
type AffectedReaders = (message: Message) => readonly number[] | null;
const noReaders: AffectedReaders = () => [];
const allReaders: AffectedReaders = () => null;

export function createMessageChanges({ database, events, clock, present, notify }: FileViewDeps) {
  /**
   * Applies one change at a time per project, so that revisions and events advance together and no update is lost. `moderation`: the action to record if
   * the message is another person's.
   */
  function updateMessage(
    actor: Actor,
    { projectId, messageId }: MessageRef,
    work: (tx: Tx, message: Message) => Promise<MessageChanges>,
    affectedReaders: AffectedReaders = noReaders,
    moderation: "message.deleted" | "message.restored" | null = null,
  ): Promise<MessageView> {
    return database.write(async (tx) => {
      await loadAuthorizedProject(tx, actor, "chat.read", projectId);
      const topic = topicOf.project(projectId);
      await events.lock(tx, topic);
      const message = await findMessageRow(tx, projectId, messageId);
      if (!message) throw notFound("message");
      rememberFormerRows(tx, "message", [message]);
      const unreadCounts = await loadUnreadCounts(tx, message, affectedReaders(message));
      const changes = await work(tx, message);
      if (changes === null) return loadMessageView(tx, present, projectId, messageId);
      await tx
        .updateTable("messages")
        .set({ ...changes, revision: message.revision + 1 })
        .where("id", "=", messageId)
        .execute();
      if (moderation && message.account_id !== actor.accountId)
        await auditActor(tx, clock.now(), actor, moderation, `message:${messageId}`, { account_id: message.account_id });
      await updateSearchIndex(tx, message, changes);
      // One view serves the event, the redaction of stored events and the response, so nothing that depends on the reader may be added to it.
      const messageView = await loadMessageView(tx, present, projectId, messageId);
      const payload = presentMessage(messageView);
      if ("body" in changes || "deleted_at" in changes) await redactMessage(tx, payload);
      await events.append(tx, topic, "message.updated", payload, { messageId, quotedId: message.parent_id });
      // The comment payload includes whether a message shows the comment, so republish it.
      if (message.comment_id !== null && "deleted_at" in changes) await updateComment(tx, { events, present }, message.comment_id, {});
      publishUnreadCounts(tx, events, message, unreadCounts);
      if ("deleted_at" in changes) await publishUnreadAbout(tx, events, "message_id", sql`${messageId}`);
      return messageView;
    });
  }

  /** Removes a deleted message from the search index and reindexes an edited or restored one. */
  async function updateSearchIndex(tx: Tx, message: Message, changes: NonNullable<MessageChanges>): Promise<void> {
    const isDeleted = "deleted_at" in changes && changes.deleted_at !== null;
    if (isDeleted) return unindexMessage(tx, database.engine, message.id);
    if ("body" in changes || "deleted_at" in changes) await indexMessage(tx, database.engine, { ...message, ...changes }, await hasAttachments(tx, message.id));
  }

  const assertNotDeleted = ({ deleted_at }: Message): void => {
    if (deleted_at !== null) throw conflict("This message was deleted.");
  };

  async function hasAttachments(tx: Tx, messageId: number): Promise<boolean> {
    return (await tx.selectFrom("attachments").select("file_id").where("message_id", "=", messageId).limit(1).executeTakeFirst()) !== undefined;
  }

  async function loadUsedEmoji(tx: Tx, messageId: number): Promise<string[]> {
    const rows = await tx.selectFrom("reactions").select("emoji").distinct().where("message_id", "=", messageId).execute();
    return rows.map(({ emoji }) => emoji);
  }

  return {
    /** Makes no change if the text is the same. */
    edit: (actor: Actor, ref: MessageRef, body: string) => {
      const mentionedReaders: AffectedReaders = (message) => [...parseMentions(message.body), ...parseMentions(body)];
      return updateMessage(
        actor,
        ref,
        async (tx, message) => {
          assertCan(actor, "message.edit", authorFacts(message, actor.accountId), "Only the author can edit a message.");
          assertNotDeleted(message);
          if (body === message.body) return null;
          if (body.trim() === "" && message.playlist_id === null && !(await hasAttachments(tx, message.id))) throw invalid("body", "must not be empty");
          await updateMentionNotifications(tx, { notify, events }, message, await replaceMentions(tx, message, body));
          return { body, edited_at: clock.now() };
        },
        mentionedReaders,
      );
    },

    /** Keeps the row, so that the deleted message keeps its position and can be restored for a limited time. */
    remove: (actor: Actor, ref: MessageRef) =>
      updateMessage(
        actor,
        ref,
        async (_tx, message) => {
          assertCan(actor, "message.delete", authorFacts(message, actor.accountId), "Only the author, an admin or an owner can delete a message.");
          return message.deleted_at === null ? { deleted_at: clock.now(), deleted_by: actor.accountId } : null;
        },
        allReaders,
        "message.deleted",
      ),

    restore: (actor: Actor, ref: MessageRef) =>
      updateMessage(
        actor,
        ref,
        async (_tx, message) => {
          const isDeletedByOther = message.deleted_at !== null && message.deleted_by !== actor.accountId;
          const facts = { ...authorFacts(message, actor.accountId), isDeletedByOther };
          assertCan(actor, "message.restore", facts, "Only the person who deleted a message can restore it.");
          if (message.deleted_at === null) return null;
          if (clock.now() - message.deleted_at > LIMITS.message_restore_seconds * SECOND)
            throw conflict(`A deleted message can only be restored within ${LIMITS.message_restore_seconds / 60} minutes.`);
          return { deleted_at: null, deleted_by: null };
        },
        allReaders,
        "message.restored",
      ),

    react: (actor: Actor, ref: MessageRef, emoji: string) =>
      updateMessage(actor, ref, async (tx, message) => {
        assertCan(actor, "chat.write", {}, "Your role does not allow this in this project.");
        assertNotDeleted(message);
        const used = await loadUsedEmoji(tx, message.id);
        if (!used.includes(emoji) && used.length >= LIMITS.reactions_per_message)
          throw conflict(`A message can have at most ${LIMITS.reactions_per_message} different reactions.`);
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto("reactions")
          .values({ message_id: message.id, emoji, account_id: actor.accountId, created_at: clock.now() })
          .onConflict((on) => on.doNothing())
          .executeTakeFirst();
        return Number(numInsertedOrUpdatedRows) === 0 ? null : {};
      }),

    unreact: (actor: Actor, ref: MessageRef, emoji: string) =>
      updateMessage(actor, ref, async (tx, message) => {
        assertCan(actor, "chat.write", {}, "Your role does not allow this in this project.");
        assertNotDeleted(message);
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
