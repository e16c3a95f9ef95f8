/**
 * Operations that every client of a chat needs: history, sending, and the caller's own read marker, which moves only forward here. Only `chatHistory` is in
 * the service document. `messages.ts` holds the other operations of a chat.
 */
import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { message, readMarker } from "../records.ts";
import { withDescription, clientId, id, idInPath, text } from "../text.ts";

const params = z.object({ project_id: idInPath });

/** Service document 4.1. Newest last. `before_id`, `after_id`, `around_id` are extensions and exclude each other. */
export const chatHistory = operation({
  method: "POST",
  path: "/v1/account/projects/chat_history",
  group: "Chat",
  summary: "Get chat history",
  source: "documented",
  scope: "chat:read",
  rule: "chat.read",
  cost: 2,
  body: z
    .object({
      project_id: id,
      limit: withDescription(z.optional(z.nullable(z.int().check(z.positive("must be at least 1")))), "default 50; more than 200 counts as 200"),
      before_id: withDescription(z.optional(id), "only messages before this one"),
      after_id: withDescription(z.optional(z.int().check(z.nonnegative())), "only messages after this one; 0 is the beginning"),
      around_id: withDescription(z.optional(id), "the page with this message in the middle"),
      include_deleted: withDescription(z.optional(z.nullable(z.boolean())), "deleted messages keep their place, without their text"),
    })
    .check(
      z.refine((body) => [body.before_id, body.after_id, body.around_id].filter((cursorId) => cursorId !== undefined).length < 2, {
        message: "before_id, after_id and around_id exclude each other",
      }),
    ),
  response: z.looseObject({
    object: z.literal("list"),
    data: z.array(message),
    has_more_before: z.optional(z.boolean()),
    has_more_after: z.optional(z.boolean()),
    /** The page contains all changes up to this `seq` of the topic `project:<id>`; subscribe with it as `since`. */
    seq: z.optional(z.int()),
  }),
});
export const sendMessage = operation({
  method: "POST",
  path: "/v1/account/projects/chat_message",
  group: "Chat",
  summary: "Write a message; the same client_id with the same content returns the first result",
  source: "extension",
  scope: "chat:write",
  rule: "chat.write",
  body: z.object({
    project_id: id,
    body: withDescription(
      z.optional(z.nullable(text(LIMITS.message_characters))),
      `plain text; \`<@id>\` mentions somebody of the project, at most ${LIMITS.mentions_per_message} people. May be left out where attachments or a playlist are sent`,
    ),
    parent_message_id: withDescription(
      z.optional(z.nullable(id)),
      "the message of the same chat that this one replies to; a token then needs the scope chat:read too",
    ),
    attachment_ids: withDescription(z.optional(z.array(id).check(z.maxLength(20))), "files of the project; a token then needs the scope files:read too"),
    playlist_id: withDescription(z.optional(z.nullable(id)), "a playlist of the project that the message shows; a token then needs the scope files:read too"),
    is_audio_message: withDescription(z.optional(z.boolean()), "a voice note: carries exactly one audio file; its body may be empty"),
    client_id: withDescription(z.optional(clientId), "your own name for the message: a repeated request returns the first result"),
  }),
  response: single("message", message),
  idempotent: true,
  errors: {
    403: "A token that replies lacks chat:read, or one that attaches files or a playlist lacks files:read.",
    409: "The `client_id` was used for a different message.",
  },
});
export const getReadMarker = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/read",
  group: "Chat",
  summary: "How far you have read a project's chat",
  source: "extension",
  scope: "chat:read",
  rule: "chat.read",
  params,
  response: single("read_marker", readMarker),
});
export const moveReadMarker = operation({
  method: "PUT",
  path: "/api/v2/projects/{project_id}/read",
  group: "Chat",
  summary: "Mark a project's chat as read up to a message; moves forward only",
  source: "extension",
  scope: "chat:read",
  rule: "chat.read",
  params,
  body: z.object({ message_id: id }),
  response: single("read_marker", readMarker),
});
