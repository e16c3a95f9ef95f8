/** A service in memory that keeps the comments of one file, behind a line that loses, doubles, swaps and delays by lot. */
import { ApiError } from "../../api/api-error.ts";
import type { NewComment } from "../../api/comments.ts";
import type { Comment } from "../../../contract/comment-records.ts";
import { createLine, type Random } from "../live/line.fixture.ts";
import { commentOf } from "./comment.fixture.ts";

export const ME = 1;
const OTHERS = 2;
export const FILE = 7;
/** Smaller than in life, so that there are several. */
const PAGE = 8;

export function createCommentService(random: Random, before: number) {
  const { state: line, events, happened, call, open, cut } = createLine(random, "project:1");
  const comments: Comment[] = [];
  const onceDeleted = new Set<number>();
  let lastId = 0;

  function add(changes: Partial<Comment>): Comment {
    lastId += 1 + random(3);
    const comment = commentOf(lastId, changes);
    comments.push(comment);
    return comment;
  }
  for (let count = 0; count < before; count += 1) add({ account_id: OTHERS });

  function change(comment: Comment | undefined, changes: Partial<Comment>): Comment | undefined {
    if (!comment) return undefined;
    const after = { ...comment, ...changes, revision: comment.revision + 1 };
    if (after.deleted) onceDeleted.add(after.id);
    comments[comments.indexOf(comment)] = after;
    happened("comment.updated", after);
    return after;
  }
  const any = (fits: (comment: Comment) => boolean) => {
    const fitting = comments.filter(fits);
    return fitting[random(fitting.length || 1)];
  };

  function take({ body, client_id, parent_comment_id = null, position_ms = null, end_ms = null }: NewComment): Comment {
    const known = comments.find((one) => one.client_id === client_id);
    if (known) return known;
    if (line.refuses(body)) throw new ApiError({ kind: "problem", status: 400, title: "No", detail: "not today" });
    const comment = add({ account_id: ME, body, client_id: client_id ?? null, parent_comment_id, position_ms, end_ms });
    happened("comment.created", comment);
    return comment;
  }
  return {
    line,
    onceDeleted,
    cut,
    open,
    comments: (): readonly Comment[] => comments,
    page: (afterId = 0, signal?: AbortSignal) =>
      call(() => {
        const rest = comments.filter(({ id, deleted }) => id > afterId && !deleted);
        const answer = { object: "list" as const, data: rest.slice(0, PAGE), has_more: rest.length > PAGE, last_read_comment_id: 0, seq: events.length };
        return answer;
      }, signal),
    take: (comment: NewComment) => call(() => take(comment)),
    resolve: (id: number, resolved: boolean) =>
      call(() => {
        const comment = comments.find((one) => one.id === id);
        if (!comment || comment.deleted) throw new ApiError({ kind: "problem", status: 404, title: "Gone" });
        return change(comment, { resolved_at: resolved ? "2026-11-20T12:00:00.000Z" : null })!;
      }),
    write: () => happened("comment.created", add({ account_id: OTHERS })),
    edit: () =>
      change(
        any(({ deleted }) => !deleted),
        { body: `edited ${events.length}` },
      ),
    remove: () =>
      change(
        any(({ deleted }) => !deleted),
        { deleted: true, body: "" },
      ),
    restore: () =>
      change(
        any(({ deleted }) => deleted),
        { deleted: false, body: `restored ${events.length}` },
      ),
  };
}
export type CommentService = ReturnType<typeof createCommentService>;
