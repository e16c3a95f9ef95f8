import * as comments from "../../../../contract/operations/comments.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { presentComment, presentReadState } from "../../../presenters/comments.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function commentRoutes(route: Route, services: Services): void {
  route(comments.listComments, async ({ actor, params, query }) => {
    const page = await services.comments.list(actor, params.file_id, query.after_id ?? 0, query.limit ?? LIMITS.comments_page_max);
    return list(page.comments.map(presentComment), { has_more: page.hasMore, last_read_comment_id: page.lastRead, seq: page.seq });
  });
  route(comments.writeComment, async ({ actor, params, body, idempotencyKey }) => {
    const input = {
      body: body.body,
      version: body.version ?? null,
      positionMs: body.position_ms ?? null,
      endMs: body.end_ms ?? null,
      parentId: body.parent_comment_id ?? null,
      clientId: body.client_id ?? null,
    };
    return record("comment", presentComment(await services.comments.write(actor, params.file_id, input, idempotencyKey)));
  });
  route(comments.updateComment, async ({ actor, params, body }) =>
    record("comment", presentComment(await services.commentChanges.update(actor, params.comment_id, body))),
  );
  route(comments.deleteComment, async ({ actor, params }) => record("comment", presentComment(await services.commentChanges.remove(actor, params.comment_id))));
  route(comments.restoreComment, async ({ actor, params }) =>
    record("comment", presentComment(await services.commentChanges.restore(actor, params.comment_id))),
  );
  route(comments.markCommentsRead, async ({ actor, params, body }) =>
    record("comments_read", presentReadState(await services.commentReads.markRead(actor, params.file_id, body.last_comment_id))),
  );
  route(comments.showComment, async ({ actor, params }) =>
    record("message", presentMessage(await services.commentChanges.showInChat(actor, params.comment_id))),
  );
}
