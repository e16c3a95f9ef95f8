/** A file's comments: reading them, and writing each exactly once. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, invalid } from "../../lib/faults.ts";
import { presentComment, type CommentRow } from "../../presenters/comments.ts";
import type { Actor } from "../access.ts";
import { commentRow } from "../comment-rows.ts";
import type { DomainDeps } from "../deps.ts";
import { hashRequest, once, type Repeat } from "../idempotency.ts";
import { lockedSubject, subjectFor } from "../subject.ts";
import { placeOf, type Place, type PlaceWish } from "./place.ts";
import { followFile, readState } from "./reads.ts";
import { byClientId, commentsAfter, countOf } from "./repository.ts";

export interface CommentWish extends PlaceWish {
  body: string;
  parentId: number | null;
  clientId: string | null;
}
export interface CommentPage {
  comments: CommentRow[];
  more: boolean;
  lastRead: number;
  /** `seq` of `project:<id>` that the page is at least as new as. */
  seq: number;
}

export const demandWords = (body: string): void => {
  if (body.trim() === "") throw invalid("body", "must not be empty");
};

export function createComments({ database, events, clock }: DomainDeps) {
  /** A reply stands where its comment stands: it names no place of its own. */
  async function placeOfReply(tx: Tx, file: Row<"files">, parentId: number, wish: CommentWish): Promise<Place> {
    const parent = await tx.selectFrom("comments").selectAll().where("id", "=", parentId).where("file_id", "=", file.id).executeTakeFirst();
    if (!parent) throw invalid("parent_comment_id", "must be a comment of this file");
    if (parent.parent_id !== null) throw invalid("parent_comment_id", "must be a comment that is no reply itself");
    if (parent.deleted_at !== null) throw conflict("The comment that this answers was deleted.");
    if (wish.positionMs !== null) throw invalid("position_ms", "must be left out of a reply");
    if (wish.endMs !== null) throw invalid("end_ms", "must be left out of a reply");
    if (wish.version !== null && wish.version !== parent.version) throw invalid("version", "must be that of the comment that is answered");
    return { version: parent.version, positionMs: null, endMs: null };
  }

  async function insertOnce(tx: Tx, actor: Actor, file: Row<"files">, wish: CommentWish): Promise<number> {
    const requestHash = wish.clientId === null ? null : hashRequest([wish.body, wish.parentId, wish.version, wish.positionMs, wish.endMs]);
    const earlier = wish.clientId === null ? undefined : await byClientId(tx, actor.accountId, file.id, wish.clientId);
    if (earlier && earlier.request_hash !== requestHash) throw conflict("This client_id was used for another comment.");
    if (earlier) return earlier.id;
    if (file.is_folder === 1) throw invalid("file_id", "must be a file");
    if ((await countOf(tx, file.id)) >= LIMITS.comments_per_file)
      throw conflict(`A file can have at most ${LIMITS.comments_per_file.toLocaleString("en")} comments.`);
    const place = await (wish.parentId === null ? placeOf(tx, file, wish) : placeOfReply(tx, file, wish.parentId, wish));
    const { id } = await tx
      .insertInto("comments")
      .values({
        project_id: file.project_id,
        file_id: file.id,
        version: place.version,
        position_ms: place.positionMs,
        end_ms: place.endMs,
        parent_id: wish.parentId,
        account_id: actor.accountId,
        body: wish.body,
        client_id: wish.clientId,
        request_hash: requestHash,
        created_at: clock.now(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await followFile(tx, actor.accountId, file, id);
    await events.append(tx, topicOf.project(file.project_id), "comment.created", presentComment(await commentRow(tx, id)), { commentId: id });
    return id;
  }

  return {
    /** Oldest first, on all versions. */
    async list(actor: Actor, fileId: number, after: number, limit: number): Promise<CommentPage> {
      const { read } = database;
      const file = await subjectFor(read, actor, "comment.read", fileId);
      const topic = topicOf.project(file.project_id);
      // Read before the rows: the page may be newer than `seq`, never older.
      const seq = (await events.heads(read, [topic])).get(topic) ?? 0;
      const { lastRead } = await readState(read, actor.accountId, file);
      const { rows, more } = await commentsAfter(read, file.id, after, Math.min(limit, LIMITS.comments_page_max));
      return { comments: rows, more, lastRead, seq };
    },

    /** The same `clientId` with the same content answers the first comment; with another content it is a 409. */
    async write(actor: Actor, fileId: number, wish: CommentWish, repeat: Repeat): Promise<CommentRow> {
      demandWords(wish.body);
      return database.write(async (tx) => {
        const file = await lockedSubject(tx, events, actor, "comment.write", fileId);
        return commentRow(tx, await once(tx, actor, repeat, clock.now(), () => insertOnce(tx, actor, file, wish)));
      });
    },
  };
}
