/** A file's comments: listing, and idempotent writing at a valid position. */
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount } from "../../../contract/text.ts";
import { type Actor, assertCanRead } from "../../access/access.ts";
import { type IdempotencyKey, runIdempotent } from "../../access/idempotency.ts";
import { MAX_INT4 } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { topicOf } from "../../events/log.ts";
import { loadPage } from "../../http/paging.ts";
import { hashJson } from "../../lib/crypto.ts";
import { conflict, invalid } from "../../lib/errors.ts";
import { attachToComment } from "../files/attachments.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { loadAuthorizedFile, lockFile } from "../files/repository.ts";
import { startWatching } from "../notifications/watching.ts";
import { enqueueWantedEvent } from "../webhooks/webhook-events.ts";
import { notifyOfComment } from "./comment-notifications.ts";
import { type CommentRow, type CommentView, presentComment } from "./comment-presenter.ts";
import { followFile, loadReadPosition } from "./comment-reads.ts";
import { completeComments, findCommentByClientId, hasMaxComments, loadCommentView, loadCommentsAfter } from "./comment-repository.ts";
import { replaceCommentMentions } from "./mentions.ts";

interface PositionInput {
  version: number | null;
  positionMs: number | null;
  endMs: number | null;
}
interface CommentInput extends PositionInput {
  body: string;
  parentId: number | null;
  clientId: string | null;
  attachmentIds: number[];
}
interface CommentPosition {
  /** Version number. */
  version: number;
  positionMs: number | null;
  endMs: number | null;
}
interface CommentPage {
  comments: CommentView[];
  hasMore: boolean;
  lastRead: number;
  /** Event `seq` of `project:<id>`; the page is at least as new as this. */
  seq: number;
}

type VersionTimeline = Pick<Row<"file_versions">, "number" | "kind" | "duration" | "transcoding_status">;

const MS_PER_SECOND = 1_000;

export function createComments(deps: FileViewDeps) {
  const { database, events, clock, present, notify } = deps;
  /** A reply takes the version of its root comment and may not set a position of its own. */
  async function resolveReplyPosition(tx: Tx, file: Row<"files">, parentId: number, input: CommentInput): Promise<CommentPosition> {
    const parent = await tx.selectFrom("comments").selectAll().where("id", "=", parentId).where("file_id", "=", file.id).executeTakeFirst();
    if (!parent) throw invalid("parent_comment_id", "must be a comment of this file");
    if (parent.parent_id !== null) throw invalid("parent_comment_id", "must not be a reply");
    if (parent.deleted_at !== null) throw conflict("The comment you are replying to was deleted.");
    if (input.positionMs !== null) throw invalid("position_ms", "must be omitted in a reply");
    if (input.endMs !== null) throw invalid("end_ms", "must be omitted in a reply");
    if (input.version !== null && input.version !== parent.version) throw invalid("version", "must be the version of the parent comment");
    return { version: parent.version, positionMs: null, endMs: null };
  }

  async function insertOnce(tx: Tx, actor: Actor, file: Row<"files">, input: CommentInput): Promise<number> {
    // Without attachments the hash is the one of earlier versions, whose comments may still be repeated.
    const content = [
      input.body,
      input.parentId,
      input.version,
      input.positionMs,
      input.endMs,
      ...(input.attachmentIds.length === 0 ? [] : [input.attachmentIds]),
    ];
    const requestHash = input.clientId === null ? null : hashJson(content);
    const existing = input.clientId === null ? undefined : await findCommentByClientId(tx, actor.accountId, file.id, input.clientId);
    if (existing && existing.request_hash !== requestHash) throw conflict("This client_id was already used for a different comment.");
    if (existing) return existing.id;
    if (file.is_folder === 1) throw invalid("file_id", "must be a file");
    if (await hasMaxComments(tx, file.id)) throw conflict(`A file can have at most ${formatCount(LIMITS.comments_per_file)} comments.`);
    const position = await (input.parentId === null ? resolvePosition(tx, file, input) : resolveReplyPosition(tx, file, input.parentId, input));
    const { id } = await tx
      .insertInto("comments")
      .values({
        project_id: file.project_id,
        file_id: file.id,
        version: position.version,
        position_ms: position.positionMs,
        end_ms: position.endMs,
        parent_id: input.parentId,
        account_id: actor.accountId,
        body: input.body,
        client_id: input.clientId,
        request_hash: requestHash,
        created_at: clock.now(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await attachToComment(tx, file.project_id, id, input.attachmentIds);
    const comment = { id, file_id: file.id, project_id: file.project_id, account_id: actor.accountId };
    const mentionedIds = await replaceCommentMentions(tx, comment, input.body);
    await indexRecords(tx, database.engine, "comment", [id]);
    await followFile(tx, actor.accountId, file, id);
    const record = presentComment(await loadCommentView(tx, present, id));
    await events.append(tx, topicOf.project(file.project_id), "comment.created", record, { commentId: id });
    await enqueueWantedEvent(tx, deps, actor.organisationId, {
      type: "comment.created",
      projectId: file.project_id,
      textOwners: { commentId: id },
      loadData: async () => ({ ...record, file_name: file.name, changed_by_account_id: actor.accountId }),
    });
    await startWatching(tx, clock.now(), file.id, actor.accountId);
    await notifyOfComment(tx, notify, comment, mentionedIds);
    return id;
  }

  return {
    /** Returns a page of comments on all versions, oldest first, of at most about 1 MB. */
    async list(actor: Actor, fileId: number, after: number, limit: number): Promise<CommentPage> {
      const { read } = database;
      const file = await loadAuthorizedFile(read, actor, "comment.read", fileId);
      const topic = topicOf.project(file.project_id);
      // Reads `seq` before the rows, so that the page may be newer than `seq` but never older.
      const seq = (await events.loadNewestSeqs(read, [topic])).get(topic) ?? 0;
      const { lastRead } = await loadReadPosition(read, actor.accountId, file);
      const { views, hasMore } = await loadPage<CommentRow, CommentView>({
        limit: Math.min(limit, LIMITS.comments_page_max),
        load: (last, count) => loadCommentsAfter(read, file.id, last?.id ?? after, count),
        complete: (rows) => completeComments(read, present, rows),
        present: presentComment,
      });
      return { comments: views, hasMore, lastRead, seq };
    },

    /** Writes a comment once per `clientId`: the same content returns the first comment, other content throws a 409. */
    async write(actor: Actor, fileId: number, input: CommentInput, idempotencyKey: IdempotencyKey | null): Promise<CommentView> {
      assertBody(input.body, input.attachmentIds.length > 0);
      if (input.attachmentIds.length > 0) assertCanRead(actor, "files:read", "attaching files");
      return database.write(async (tx) => {
        const file = await lockFile(tx, events, actor, "comment.write", fileId);
        return loadCommentView(tx, present, await runIdempotent(tx, actor, idempotencyKey, clock.now(), () => insertOnce(tx, actor, file, input)));
      });
    },
  };
}

export const assertBody = (body: string, hasAttachments: boolean): void => {
  if (body.trim() === "" && !hasAttachments) throw invalid("body", "must not be empty without attachments");
};

/** Throws a 400 if the version has no such time; accepts any time while the duration is unknown. */
function assertPosition(version: Omit<VersionTimeline, "number">, { positionMs, endMs }: Pick<CommentPosition, "positionMs" | "endMs">): void {
  if (positionMs === null && endMs !== null) throw invalid("end_ms", "requires position_ms");
  if (positionMs === null) return;
  if (endMs !== null && endMs <= positionMs) throw invalid("end_ms", "must be after position_ms");
  const hasNoTimeline = version.kind === "image" || (version.kind === "document" && version.transcoding_status === "transcoded");
  if (hasNoTimeline) throw invalid("position_ms", "must be omitted: this file has no timeline");
  if (version.duration === null || version.duration <= 0) return;
  // Rounds up, because a fraction of a millisecond at the end still belongs to the file.
  const durationMs = Math.ceil(version.duration * MS_PER_SECOND);
  for (const [path, timeMs] of [
    ["position_ms", positionMs],
    ["end_ms", endMs ?? 0],
  ] as const)
    if (timeMs > durationMs) throw invalid(path, `must be within the file, which is ${durationMs} ms long`);
}

/** Returns the position of a root comment; throws a 400 if it is invalid. */
async function resolvePosition(db: Db, file: Pick<Row<"files">, "id" | "version_id">, input: PositionInput): Promise<CommentPosition> {
  const query = db.selectFrom("file_versions").select(["number", "kind", "duration", "transcoding_status"]).where("file_id", "=", file.id);
  if (input.version !== null && input.version > MAX_INT4) throw invalid("version", "must be a version of this file");
  const version = await (input.version === null ? query.where("id", "=", file.version_id ?? 0) : query.where("number", "=", input.version)).executeTakeFirst();
  if (!version) throw invalid("version", "must be a version of this file");
  assertPosition(version, input);
  return { version: version.number, positionMs: input.positionMs, endMs: input.endMs };
}
