import * as comments from "../../../../contract/operations/comments.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { presentComment, presentReadState } from "../../../presenters/comments.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function commentRoutes(serve: Serve, services: Services): void {
  serve(comments.listComments, async ({ actor, params, query }) => {
    const page = await services.comments.list(actor, params.file_id, query.after_id ?? 0, query.limit ?? LIMITS.comments_page_max);
    return list(page.comments.map(presentComment), { has_more: page.more, last_read_comment_id: page.lastRead, seq: page.seq });
  });
  serve(comments.writeComment, async ({ actor, params, body, repeat }) => {
    const wish = {
      body: body.body,
      version: body.version ?? null,
      positionMs: body.position_ms ?? null,
      endMs: body.end_ms ?? null,
      parentId: body.parent_comment_id ?? null,
      clientId: body.client_id ?? null,
    };
    return one("comment", presentComment(await services.comments.write(actor, params.file_id, wish, repeat)));
  });
  serve(comments.updateComment, async ({ actor, params, body }) =>
    one("comment", presentComment(await services.commentChanges.update(actor, params.comment_id, body))),
  );
  serve(comments.deleteComment, async ({ actor, params }) => one("comment", presentComment(await services.commentChanges.remove(actor, params.comment_id))));
  serve(comments.restoreComment, async ({ actor, params }) => one("comment", presentComment(await services.commentChanges.restore(actor, params.comment_id))));
  serve(comments.markCommentsRead, async ({ actor, params, body }) =>
    one("comments_read", presentReadState(await services.commentReads.markRead(actor, params.file_id, body.last_comment_id))),
  );
  serve(comments.showComment, async ({ actor, params }) => one("message", presentMessage(await services.commentChanges.showInChat(actor, params.comment_id))));
}
