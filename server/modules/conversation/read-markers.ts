/** Read markers of a project's chat: reading moves a marker forward, and only "mark unread" moves it back. */
import { sql } from "kysely";
import { loadAuthorizedProject, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Database } from "../../db/database.ts";
import { afterCommit } from "../../db/transaction.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { invalid } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { markSeen } from "../notifications/read-state.ts";
import { audienceOf } from "../projects/repository.ts";
import { mentionCount, newestCommentId, unreadCount } from "../projects/unread.ts";
import { findPreviousMessageId, findMessageRow } from "./message-repository.ts";

/** A reader's marker in a project's chat, with the counts of what comes after it. */
export interface ReadMarker {
  projectId: number;
  lastReadMessageId: number | null;
  unreadCount: number;
  mentionCount: number;
}
export type ReadMarkerRow = Pick<Row<"read_markers">, "account_id" | "last_read_message_id" | "moved_at">;

/** Builds the insert of a reader's marker; the caller adds `onConflict` for a reader who has a marker already. */
const insertMarker = (tx: Tx, actor: Actor, projectId: number, messageId: number, now: number) =>
  tx.insertInto("read_markers").values({
    project_id: projectId,
    account_id: actor.accountId,
    last_read_message_id: messageId,
    moved_at: now,
    comments_since: newestCommentId(projectId),
  });

export function createReadMarkers({ database, events, clock, signals }: ModuleDeps) {
  async function loadReadMarker(db: Tx | Database["read"], actor: Actor, projectId: number): Promise<ReadMarker> {
    const [project, lastRead] = [sql.ref("projects.id"), sql.ref("read_markers.last_read_message_id")];
    const row = await db
      .selectFrom("projects")
      .leftJoin("read_markers", (join) => join.onRef("read_markers.project_id", "=", "projects.id").on("read_markers.account_id", "=", actor.accountId))
      .select("read_markers.last_read_message_id")
      .select(unreadCount(actor.accountId, project, lastRead).as("unread_count"))
      .select(mentionCount(actor.accountId, project, lastRead).as("mention_count"))
      .where("projects.id", "=", projectId)
      .executeTakeFirstOrThrow();
    return { projectId, lastReadMessageId: row.last_read_message_id, unreadCount: row.unread_count, mentionCount: row.mention_count };
  }

  /** Publishes the current marker and counts to the reader's own clients. */
  async function publishReadMarker(tx: Tx, actor: Actor, projectId: number): Promise<ReadMarker> {
    const marker = await loadReadMarker(tx, actor, projectId);
    await events.append(tx, topicOf.account(actor.accountId), "read.moved", {
      project_id: projectId,
      last_read_message_id: marker.lastReadMessageId,
      unread_count: marker.unreadCount,
      mention_count: marker.mentionCount,
    });
    return marker;
  }

  return {
    async getReadMarker(actor: Actor, projectId: number): Promise<ReadMarker> {
      await loadAuthorizedProject(database.read, actor, "chat.read", projectId);
      return loadReadMarker(database.read, actor, projectId);
    },

    /** Moves the marker forward only, never past the newest message. */
    moveReadMarker(actor: Actor, projectId: number, messageId: number): Promise<ReadMarker> {
      return database.write(async (tx) => {
        const project = await loadAuthorizedProject(tx, actor, "chat.read", projectId);
        const target = Math.min(messageId, project.last_message_id ?? 0);
        // Locks the account's topic against this reader's other clients, one of which may move the marker back, so that events follow the
        // order of moves.
        await events.lock(tx, topicOf.account(actor.accountId));
        const before = await loadReadMarker(tx, actor, projectId);
        // Also what an edit has added since to a message already read.
        await markSeen(tx, { events, clock }, actor.accountId, { projectId, upToMessageId: target });
        if (target <= (before.lastReadMessageId ?? 0)) return before;
        const now = clock.now();
        // The statement repeats the check, because another tab may have moved the marker further in the meantime.
        const result = await insertMarker(tx, actor, projectId, target, now)
          .onConflict((on) =>
            on
              .columns(["account_id", "project_id"])
              .doUpdateSet({ last_read_message_id: target, moved_at: now })
              .where("read_markers.last_read_message_id", "<", target),
          )
          .executeTakeFirst();
        if (Number(result.numInsertedOrUpdatedRows) === 0) return loadReadMarker(tx, actor, projectId);
        const marker = { project_id: projectId, account_id: actor.accountId, last_read_message_id: target, moved_at: iso(now) };
        afterCommit(() => signals.emit({ type: "reader.moved", projectId, accountId: actor.accountId, data: marker }));
        return publishReadMarker(tx, actor, projectId);
      });
    },

    /** Moves the marker back, so that this message and everything after it count as unread; a marker already before the message stays. */
    markUnread(actor: Actor, projectId: number, messageId: number): Promise<ReadMarker> {
      return database.write(async (tx) => {
        await loadAuthorizedProject(tx, actor, "chat.read", projectId);
        if (!(await findMessageRow(tx, projectId, messageId))) throw invalid("message_id", "must be a message of this project");
        // Waits for changes of messages, which publish new counts to those whose marker is before them.
        await events.lock(tx, topicOf.project(projectId));
        const target = await findPreviousMessageId(tx, projectId, messageId);
        await events.lock(tx, topicOf.account(actor.accountId));
        const before = await loadReadMarker(tx, actor, projectId);
        if (before.lastReadMessageId !== null && before.lastReadMessageId <= target) return before;
        const now = clock.now();
        await insertMarker(tx, actor, projectId, target, now)
          .onConflict((on) => on.columns(["account_id", "project_id"]).doUpdateSet({ last_read_message_id: target, moved_at: now }))
          .execute();
        return publishReadMarker(tx, actor, projectId);
      });
    },

    /** Returns how far the other people who see the project have read, without those who have read nothing. */
    async listReaders(actor: Actor, projectId: number): Promise<ReadMarkerRow[]> {
      await loadAuthorizedProject(database.read, actor, "chat.read", projectId);
      return audienceOf(database.read, projectId)
        .innerJoin("read_markers", "read_markers.account_id", "accounts.id")
        .select(["read_markers.account_id", "read_markers.last_read_message_id", "read_markers.moved_at"])
        .where("read_markers.project_id", "=", projectId)
        .where("read_markers.account_id", "!=", actor.accountId)
        .where("read_markers.last_read_message_id", ">", 0)
        .orderBy("read_markers.account_id")
        .execute();
    },
  };
}
