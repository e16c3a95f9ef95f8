/** A project's chat: history in both directions, and writing exactly once. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, Fault, invalid } from "../../lib/faults.ts";
import { projectFor, type Actor } from "../access.ts";
import { NOT_SOUND } from "../attachments.ts";
import type { DomainDeps } from "../deps.ts";
import { forReader } from "../unread-comments.ts";
import { hashRequest, once, type Repeat } from "../idempotency.ts";
import { anyBeyond, byClientId, firstSince, newerThan, olderThan, plainMessageIn } from "./repository.ts";
import { complete, sentMessage, type MessageRow, type SentMessage } from "./sent.ts";
import { writeMessage } from "./writing.ts";

export interface HistoryWish {
  projectId: number;
  limit?: number | undefined;
  beforeId?: number | undefined;
  afterId?: number | undefined;
  aroundId?: number | undefined;
  includeDeleted?: boolean | undefined;
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
export function createChat(deps: DomainDeps) {
  const { database, events, clock, present } = deps;
  const completed = async (actor: Actor, rows: MessageRow[]): Promise<SentMessage[]> =>
    forReader(database.read, actor.accountId, await complete(database.read, present, rows));

  async function insertOnce(tx: Tx, actor: Actor, wish: MessageWish, projectId: number): Promise<number> {
    const topic = topicOf.project(projectId);
    await events.lock(tx, topic);
    const requestHash = wish.clientId === null ? null : hashRequest([wish.body, wish.parentId, wish.attachmentIds, wish.isAudioMessage]);
    const earlier = wish.clientId === null ? undefined : await byClientId(tx, actor.accountId, projectId, wish.clientId);
    if (earlier && earlier.request_hash !== requestHash) throw conflict("This client_id was used for another message.");
    if (earlier) return earlier.id;
    const parent = wish.parentId === null ? null : await plainMessageIn(tx, projectId, wish.parentId);
    if (parent === undefined) throw invalid("parent_message_id", "must be a message of this project");
    return writeMessage(tx, deps, actor, { ...wish, projectId, parent: parent ?? null, requestHash, commentId: null });
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
        return { messages: await completed(actor, rows), moreBefore: await anyBeyond(read, window, "<", first), moreAfter: more, seq };
      }
      if (wish.aroundId !== undefined) {
        const half = Math.floor(limit / 2);
        const after = await newerThan(read, { ...window, limit: limit - half }, wish.aroundId - 1);
        const before =
          half === 0 ? { rows: [], more: await anyBeyond(read, window, "<", wish.aroundId) } : await olderThan(read, { ...window, limit: half }, wish.aroundId);
        return { messages: await completed(actor, [...before.rows, ...after.rows]), moreBefore: before.more, moreAfter: after.more, seq };
      }
      const { rows, more } = await olderThan(read, window, wish.beforeId ?? null);
      const moreAfter = wish.beforeId !== undefined && (await anyBeyond(read, window, ">", wish.beforeId - 1));
      return { messages: await completed(actor, rows), moreBefore: more, moreAfter, seq };
    },

    /** The first message that was written at this time or later; what is deleted does not count. */
    async first(actor: Actor, projectId: number, since: number): Promise<SentMessage> {
      await projectFor(database.read, actor, "chat.read", projectId);
      const row = await firstSince(database.read, projectId, since);
      if (!row) throw new Fault(404, "Nothing was written since then.");
      const [message] = await completed(actor, [row]);
      return message as SentMessage;
    },

    /** The same `clientId` with the same content answers the first message; with another content it is a 409. */
    async send(actor: Actor, wish: MessageWish, repeat: Repeat = null): Promise<SentMessage> {
      if (wish.isAudioMessage && wish.attachmentIds.length !== 1) throw invalid("is_audio_message", NOT_SOUND);
      if (wish.body.trim() === "" && wish.attachmentIds.length === 0) throw invalid("body", "must not be empty");
      return database.write(async (tx) => {
        const project = await projectFor(tx, actor, "chat.write", wish.projectId);
        const id = await once(tx, actor, repeat, clock.now(), () => insertOnce(tx, actor, wish, project.id));
        const [sent] = await forReader(tx, actor.accountId, [await sentMessage(tx, present, project.id, id)]);
        return sent!;
      });
    },
  };
}
