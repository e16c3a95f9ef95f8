import * as z from "zod/mini";
import { comment, commentsRead } from "../comment-records.ts";
import { operation, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { message } from "../records.ts";
import { withDescription, clientId, id, idInPath, text, limitInQuery } from "../text.ts";

const fileParams = z.object({ file_id: idInPath });
const params = z.object({ comment_id: idInPath });
const position = z.int().check(z.nonnegative(), z.maximum(LIMITS.comment_position_ms));
const commentBody = text(LIMITS.message_characters);
const MENTIONS = `\`<@id>\` mentions somebody of the project, at most ${LIMITS.mentions_per_message} people`;

/** Omits deleted comments, except those with replies that are not deleted. */
export const listComments = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/comments",
  group: "Comments",
  summary: "A file's comments on all its versions, oldest first",
  source: "extension",
  scope: "files:read",
  rule: "comment.read",
  cost: 2,
  params: fileParams,
  query: z.object({
    after_id: withDescription(z.optional(idInPath), "only comments after this one"),
    limit: withDescription(z.optional(limitInQuery), `default and most: ${LIMITS.comments_page_max}`),
  }),
  response: z.looseObject({
    object: z.literal("list"),
    data: z.array(comment),
    has_more: z.boolean(),
    /** The reader's read position; 0: nothing read. A reader's own comments are never unread. */
    last_read_comment_id: z.int(),
    /** The page contains all changes up to this `seq` of the topic `project:<id>`. */
    seq: z.int(),
  }),
});
export const writeComment = operation({
  method: "POST",
  path: "/api/v2/files/{file_id}/comments",
  group: "Comments",
  summary: "Comment on a file, or reply to a comment; the same client_id with the same content returns the first result",
  source: "extension",
  scope: "files:write",
  rule: "comment.write",
  params: fileParams,
  body: z.object({
    body: withDescription(z.optional(commentBody), `plain text; ${MENTIONS}. May be left out where attachments are sent`),
    version: withDescription(z.optional(id), "number of the version; default: the current one, of a reply that of its comment"),
    position_ms: withDescription(z.optional(z.nullable(position)), "milliseconds from the start; within the file, where its length is known"),
    end_ms: withDescription(z.optional(z.nullable(position)), "of a range: its end, after position_ms"),
    parent_comment_id: withDescription(z.optional(z.nullable(id)), "the comment of the same file that this one replies to"),
    attachment_ids: withDescription(z.optional(z.array(id).check(z.maxLength(20))), "files of the project; a token then needs the scope files:read too"),
    client_id: withDescription(z.optional(clientId), "your own name for the comment: a repeated request returns the first result"),
  }),
  response: single("comment", comment),
  idempotent: true,
  errors: { 409: "The `client_id` was used for a different comment, the parent comment was deleted, or the file has as many comments as it can have." },
});
export const updateComment = operation({
  method: "PATCH",
  path: "/api/v2/comments/{comment_id}",
  group: "Comments",
  summary: "Change the text of a comment of yours, resolve one or reopen it. Guests resolve only what they started themselves",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "comment.edit",
  params,
  body: z.object({ body: withDescription(z.optional(commentBody), MENTIONS), resolved: withDescription(z.optional(z.boolean()), "not of replies") }),
  response: single("comment", comment),
  errors: { 409: "The comment was deleted." },
});
export const deleteComment = operation({
  method: "DELETE",
  path: "/api/v2/comments/{comment_id}",
  group: "Comments",
  summary: "Delete a comment: your own, or any as owner or admin. Its replies stay",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "comment.delete",
  params,
  response: single("comment", comment),
});
export const restoreComment = operation({
  method: "POST",
  path: "/api/v2/comments/{comment_id}/restore",
  group: "Comments",
  summary: "Restore a comment that you deleted in the last ten minutes",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "comment.restore",
  params,
  response: single("comment", comment),
  errors: { 409: "The comment was deleted more than ten minutes ago." },
});
export const markCommentsRead = operation({
  method: "PUT",
  path: "/api/v2/files/{file_id}/comments/read",
  group: "Comments",
  summary: "Mark a file's comments as read up to one; moves forward only",
  source: "extension",
  scope: "files:read",
  rule: "comment.read",
  params: fileParams,
  body: z.object({ last_comment_id: id }),
  response: single("comments_read", commentsRead),
});
/** The message stores no copy of the text: it shows the comment's current text. */
export const showComment = operation({
  method: "POST",
  path: "/api/v2/comments/{comment_id}/show-in-chat",
  group: "Comments",
  summary: "Show a comment in the project's chat; while a message shows it, that message is returned",
  source: "extension",
  scope: "chat:write",
  furtherScopes: ["chat:read", "files:read"],
  rule: "chat.write",
  params,
  response: single("message", message),
  errors: { 409: "The comment was deleted." },
});
