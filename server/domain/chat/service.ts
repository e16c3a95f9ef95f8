/** A project's chat: history in both directions, writing exactly once, and how far each reader has come. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import type { Attachment } from "../../../contract/records.ts";
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, invalid, notFound } from "../../lib/faults.ts";
import { presentMessage } from "../../presenters/records.ts";
import { projectFor, type Actor } from "../access.ts";
import { attach, attachmentsOf } from "../attachments.ts";
import type { DomainDeps } from "../deps.ts";
import { hashRequest, once, type Repeat } from "../idempotency.ts";
import { unreadCount } from "../unread.ts";
import { indexMessage } from "./search-index.ts";
import { byClientId, insertMessage, messageIn, newerThan, olderThan, type MessageRow } from "./repository.ts";

export interface HistoryWish {
  projectId: number;
  limit?: number | undefined;
  beforeId?: number | undefined;
  afterId?: number | undefined;
  aroundId?: number | undefined;
  includeDeleted?: boolean | undefined;
}
/** A message with the files it carries. */
export interface SentMessage {
  row: MessageRow;
  attachments: Attachment[];
}
export interface History {
  messages: SentMessage[];
  moreBefore: boolean;
  moreAfter: boolean;
  /** `seq` of `project:<id>` that the page is at least as new as. */
  seq: number;
}
export interface MessageWish {
  projectId: number;
  body: string;
  parentId: number | null;
  clientId: string | null;
  attachmentIds: number[];
  isAudioMessage: boolean;
}
export interface ReadState {
  projectId: number;
  lastReadMessageId: number | null;
  unreadCount: number;
}

export function createChat({ database, events, clock, present }: DomainDeps) {
  async function complete(db: Tx | typeof database.read, rows: MessageRow[]): Promise<SentMessage[]> {
    const attachments = await attachmentsOf(
      db,
      present,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ row, attachments: attachments.get(row.id) ?? [] }));
  }

  async function readState(db: Tx | typeof database.read, actor: Actor, projectId: number): Promise<ReadState> {
    const row = await db
      .selectFrom("projects")
      .leftJoin("read_markers", (join) => join.onRef("read_markers.project_id", "=", "projects.id").on("read_markers.account_id", "=", actor.accountId))
      .select("read_markers.last_read_message_id")
      .select(unreadCount(actor.accountId, sql.ref("projects.id"), sql.ref("read_markers.last_read_message_id")).as("unread_count"))
      .where("projects.id", "=", projectId)
      .executeTakeFirstOrThrow();
    return { projectId, lastReadMessageId: row.last_read_message_id, unreadCount: row.unread_count };
  }

  async function insertOnce(tx: Tx, actor: Actor, wish: MessageWish, projectId: number): Promise<number> {
    const topic = topicOf.project(projectId);
    await events.lock(tx, topic);
    const requestHash = wish.clientId === null ? null : hashRequest([wish.body, wish.parentId, wish.attachmentIds, wish.isAudioMessage]);
    const earlier = wish.clientId === null ? undefined : await byClientId(tx, actor.accountId, projectId, wish.clientId);
    if (earlier && earlier.request_hash !== requestHash) throw conflict("This client_id was used for another message.");
    if (earlier) return earlier.id;
    const parent = wish.parentId === null ? null : await messageIn(tx, projectId, wish.parentId);
    if (parent === undefined) throw invalid("parent_message_id", "must be a message of this project");
    const row = await insertMessage(tx, {
      project_id: projectId,
      account_id: actor.accountId,
      body: wish.body,
      type: "message",
      is_audio_message: wish.isAudioMessage ? 1 : 0,
      parent_id: parent?.id ?? null,
      parent_account_id: parent?.account_id ?? null,
      client_id: wish.clientId,
      request_hash: requestHash,
      revision: 1,
      created_at: clock.now(),
    });
    await attach(tx, projectId, row.id, wish.attachmentIds);
    await indexMessage(tx, database.engine, row, wish.attachmentIds.length > 0);
    const attachments = (await attachmentsOf(tx, present, wish.attachmentIds.length > 0 ? [row.id] : [])).get(row.id);
    await events.append(tx, topic, "message.created", presentMessage(row, attachments));
    return row.id;
  }

  return {
    /** Oldest first. `around` puts the message in the middle; a deleted or unknown one gives the page where it would stand. */
    async history(actor: Actor, wish: HistoryWish): Promise<History> {
      const { read } = database;
      await projectFor(read, actor, "chat.read", wish.projectId);
      // Read before the rows: the page may be newer than `seq`, never older.
      const seq = (await events.heads(read, [topicOf.project(wish.projectId)])).get(topicOf.project(wish.projectId)) ?? 0;
      const limit = Math.min(wish.limit ?? LIMITS.history_default, LIMITS.history_max);
      const window = { projectId: wish.projectId, includeDeleted: wish.includeDeleted ?? false, limit };
      if (wish.afterId !== undefined) {
        const { rows, more } = await newerThan(read, window, wish.afterId);
        const first = rows[0]?.id ?? wish.afterId + 1;
        const before = await olderThan(read, { ...window, limit: 1 }, first);
        return { messages: await complete(read, rows), moreBefore: before.rows.length > 0, moreAfter: more, seq };
      }
      if (wish.aroundId !== undefined) {
        const half = Math.floor(limit / 2);
        const after = await newerThan(read, { ...window, limit: limit - half }, wish.aroundId - 1);
        const before =
          half === 0 ? await olderThan(read, { ...window, limit: 1 }, wish.aroundId) : await olderThan(read, { ...window, limit: half }, wish.aroundId);
        return half === 0
          ? { messages: await complete(read, after.rows), moreBefore: before.rows.length > 0, moreAfter: after.more, seq }
          : { messages: await complete(read, [...before.rows, ...after.rows]), moreBefore: before.more, moreAfter: after.more, seq };
      }
      const { rows, more } = await olderThan(read, window, wish.beforeId ?? null);
      const moreAfter = wish.beforeId !== undefined && (await newerThan(read, { ...window, limit: 1 }, wish.beforeId - 1)).rows.length > 0;
      return { messages: await complete(read, rows), moreBefore: more, moreAfter, seq };
    },

    /** The same `clientId` with the same content answers the first message; with another content it is a 409. */
    async send(actor: Actor, wish: MessageWish, repeat: Repeat = null): Promise<SentMessage> {
      if (wish.isAudioMessage && wish.attachmentIds.length !== 1) throw invalid("is_audio_message", "needs one audio file among attachment_ids");
      if (wish.body.trim() === "" && wish.attachmentIds.length === 0) throw invalid("body", "must not be empty");
      return database.write(async (tx) => {
        const project = await projectFor(tx, actor, "chat.write", wish.projectId);
        const id = await once(tx, actor, repeat, clock.now(), () => insertOnce(tx, actor, wish, project.id));
        const row = await messageIn(tx, project.id, id);
        if (!row) throw notFound("message");
        return { row, attachments: (await attachmentsOf(tx, present, [row.id])).get(row.id) ?? [] };
      });
    },

    async readMarker(actor: Actor, projectId: number): Promise<ReadState> {
      await projectFor(database.read, actor, "chat.read", projectId);
      return readState(database.read, actor, projectId);
    },

    /** Moves forward only, and never past the newest message. */
    moveReadMarker(actor: Actor, projectId: number, messageId: number): Promise<ReadState> {
      return database.write(async (tx) => {
        const project = await projectFor(tx, actor, "chat.read", projectId);
        const target = Math.min(messageId, project.last_message_id ?? 0);
        const before = await readState(tx, actor, projectId);
        if (target <= (before.lastReadMessageId ?? 0)) return before;
        const now = clock.now();
        // Asked again in the statement itself: another tab may have moved it further in the meantime.
        const moved = await tx
          .insertInto("read_markers")
          .values({ project_id: projectId, account_id: actor.accountId, last_read_message_id: target, moved_at: now })
          .onConflict((on) =>
            on
              .columns(["account_id", "project_id"])
              .doUpdateSet({ last_read_message_id: target, moved_at: now })
              .where("read_markers.last_read_message_id", "<", target),
          )
          .executeTakeFirst();
        const state = await readState(tx, actor, projectId);
        if (Number(moved.numInsertedOrUpdatedRows) === 0) return state;
        await events.append(tx, topicOf.account(actor.accountId), "read.moved", {
          project_id: projectId,
          last_read_message_id: state.lastReadMessageId,
          unread_count: state.unreadCount,
        });
        return state;
      });
    },
  };
}
