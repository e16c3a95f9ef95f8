/** An in-memory service with the comments of one file, behind a network that randomly drops, duplicates, reorders and delays. */
import type { Comment } from "../../../contract/comment-records.ts";
import { ApiError } from "../../api/api-error.ts";
import type { writeComment } from "../../../contract/operations/comments.ts";
import type { BodyOf } from "../../api/http.ts";
import { buildComment } from "../../queries/comments/comment.fixture.ts";
import { createUnreliableNetwork, type Random } from "./unreliable-network.fixture.ts";

export const ME = 1;
const OTHER_ACCOUNT_ID = 2;
export const FILE_ID = 7;
/** Smaller than in production, so that the comments take several pages. */
const PAGE_SIZE = 8;

export function createCommentService(random: Random, initialCount: number) {
  const { state: network, events, emitEvent, call, open, cut } = createUnreliableNetwork(random, "project:1");
  const comments: Comment[] = [];
  const onceDeleted = new Set<number>();
  let lastId = 0;

  function add(changes: Partial<Comment>): Comment {
    lastId += 1 + random(3);
    const comment = buildComment(lastId, changes);
    comments.push(comment);
    return comment;
  }
  for (let count = 0; count < initialCount; count += 1) add({ account_id: OTHER_ACCOUNT_ID });

  function change(comment: Comment | undefined, changes: Partial<Comment>): Comment | undefined {
    if (!comment) return undefined;
    const updated = { ...comment, ...changes, revision: comment.revision + 1 };
    if (updated.deleted) onceDeleted.add(updated.id);
    comments[comments.indexOf(comment)] = updated;
    emitEvent("comment.updated", updated);
    return updated;
  }
  const pickRandom = (matches: (comment: Comment) => boolean) => {
    const candidates = comments.filter(matches);
    return candidates[random(candidates.length || 1)];
  };

  function create({ body = "", client_id, parent_comment_id = null, position_ms = null, end_ms = null }: BodyOf<typeof writeComment>): Comment {
    const existing = comments.find((candidate) => candidate.client_id === client_id);
    if (existing) return existing;
    if (network.rejects(body)) throw new ApiError({ kind: "problem", status: 400, title: "No", detail: "not today" });
    const comment = add({ account_id: ME, body, client_id: client_id ?? null, parent_comment_id, position_ms, end_ms });
    emitEvent("comment.created", comment);
    return comment;
  }
  return {
    network,
    onceDeleted,
    cut,
    open,
    comments: (): readonly Comment[] => comments,
    page: (afterId = 0, signal?: AbortSignal) =>
      call(() => {
        const remaining = comments.filter(({ id, deleted }) => id > afterId && !deleted);
        const response = {
          object: "list" as const,
          data: remaining.slice(0, PAGE_SIZE),
          has_more: remaining.length > PAGE_SIZE,
          last_read_comment_id: 0,
          seq: events.length,
        };
        return response;
      }, signal),
    create: (comment: BodyOf<typeof writeComment>) => call(() => create(comment)),
    resolve: (id: number, resolved: boolean) =>
      call(() => {
        const comment = comments.find((candidate) => candidate.id === id);
        if (!comment || comment.deleted) throw new ApiError({ kind: "problem", status: 404, title: "Gone" });
        return change(comment, { resolved_at: resolved ? "2026-11-20T12:00:00.000Z" : null })!;
      }),
    write: () => emitEvent("comment.created", add({ account_id: OTHER_ACCOUNT_ID })),
    edit: () =>
      change(
        pickRandom(({ deleted }) => !deleted),
        { body: `edited ${events.length}` },
      ),
    remove: () =>
      change(
        pickRandom(({ deleted }) => !deleted),
        { deleted: true, body: "" },
      ),
    restore: () =>
      change(
        pickRandom(({ deleted }) => deleted),
        { deleted: false, body: `restored ${events.length}` },
      ),
  };
}
export type CommentService = ReturnType<typeof createCommentService>;
