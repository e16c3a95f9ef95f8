/**
 * Changes and searches of messages, and the readers of a chat: editing, deleting, restoring, reactions, the first message since a time, search, the read
 * markers of others, and marking as unread. `chat.ts` holds history, sending and the caller's own read marker.
 */
import * as z from "zod/mini";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { message, memberReadMarker, readMarker } from "../records.ts";
import { withDescription, id, idInPath, dateTime, text, timestamp, searchText } from "../text.ts";

const projectParams = { project_id: idInPath };
const params = z.object({ ...projectParams, message_id: idInPath });
/** One emoji as people see it, even when it consists of several code points. */
const emoji = z.string().check(
  z.maxLength(64),
  z.refine((value) => /^\p{RGI_Emoji}$/v.test(value), { message: "must be one emoji" }),
);

export const editMessage = operation({
  method: "PATCH",
  path: "/api/v2/projects/{project_id}/messages/{message_id}",
  group: "Chat",
  summary: "Change the text of a message of yours",
  source: "extension",
  scope: "chat:write",
  furtherScopes: ["chat:read"],
  rule: "message.edit",
  params,
  body: z.object({ body: withDescription(text(LIMITS.message_characters), `\`<@id>\` mentions at most ${LIMITS.mentions_per_message} people`) }),
  response: single("message", message),
  errors: { 409: "The message was deleted." },
});
export const deleteMessage = operation({
  method: "DELETE",
  path: "/api/v2/projects/{project_id}/messages/{message_id}",
  group: "Chat",
  summary: "Delete a message: your own, or any as owner or admin",
  source: "extension",
  scope: "chat:write",
  furtherScopes: ["chat:read"],
  rule: "message.delete",
  params,
  response: single("message", message),
});
export const restoreMessage = operation({
  method: "POST",
  path: "/api/v2/projects/{project_id}/messages/{message_id}/restore",
  group: "Chat",
  summary: "Restore a message that you deleted in the last ten minutes",
  source: "extension",
  scope: "chat:write",
  furtherScopes: ["chat:read"],
  rule: "message.restore",
  params,
  response: single("message", message),
  errors: { 409: "The message was deleted more than ten minutes ago." },
});
const reactionOperation = {
  params: z.object({ ...params.shape, emoji }),
  scope: "chat:write",
  furtherScopes: ["chat:read"],
  rule: "chat.write",
  group: "Chat",
  feature: "messages",
  source: "extension",
} as const;
export const addReaction = operation({
  ...reactionOperation,
  method: "PUT",
  path: "/api/v2/projects/{project_id}/messages/{message_id}/reactions/{emoji}",
  summary: "React to a message with an emoji; idempotent",
  response: single("message", message),
  errors: { 409: "The message was deleted, or has as many different reactions as it can have." },
});
export const removeReaction = operation({
  ...reactionOperation,
  method: "DELETE",
  path: "/api/v2/projects/{project_id}/messages/{message_id}/reactions/{emoji}",
  summary: "Remove a reaction of yours",
  response: single("message", message),
  errors: { 409: "The message was deleted." },
});
/** `since` locates a day: the client jumps to the returned message. */
export const findFirstMessage = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/messages/first",
  group: "Chat",
  feature: "messages",
  summary: "The first message of a chat at or after a time",
  source: "extension",
  scope: "chat:read",
  rule: "chat.read",
  params: z.object(projectParams),
  query: z.object({ since: dateTime }),
  response: single("message", message),
});
export const searchMessages = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/messages",
  group: "Chat",
  feature: "chat-search",
  summary: "List or search a project's messages, newest first; every word must occur, the last one may be a beginning",
  source: "extension",
  scope: "chat:read",
  rule: "chat.read",
  cost: 5,
  params: z.object(projectParams),
  query: z.object({
    q: withDescription(z.optional(searchText(LIMITS.search_characters, 0)), "words; case and accents do not matter"),
    account_id: withDescription(z.optional(idInPath), "written by this person"),
    since: withDescription(z.optional(dateTime), "written at or after this time"),
    until: withDescription(z.optional(dateTime), "written before this time"),
    has: withDescription(z.optional(z.enum(["link", "file"])), "with a link in its text, or with files"),
    ...pageQuery.shape,
  }),
  response: page(message),
});
/** A message that has a version of a file attached. */
const fileMessage = z.looseObject({
  message_id: id,
  project_id: id,
  /** Number of the attached version. */
  version: z.int(),
  account_id: id,
  datetime: timestamp,
  /** The beginning of its text. */
  excerpt: z.string(),
});
export type FileMessage = z.infer<typeof fileMessage>;
export const listFileMessages = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/messages",
  group: "Chat",
  feature: "messages",
  summary: `The messages that have a file attached; newest version first, then newest message, at most ${LIMITS.file_messages}`,
  source: "extension",
  scope: "chat:read",
  furtherScopes: ["files:read"],
  rule: "chat.read",
  params: z.object({ file_id: idInPath }),
  response: list(fileMessage),
});
export const listReaders = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/readers",
  group: "Chat",
  feature: "messages",
  summary: "How far the others have read a project's chat",
  source: "extension",
  scope: "chat:read",
  rule: "chat.read",
  params: z.object(projectParams),
  response: list(memberReadMarker),
});
/** The only operation that moves a read marker backward. */
export const markUnread = operation({
  method: "POST",
  path: "/api/v2/projects/{project_id}/unread",
  group: "Chat",
  feature: "messages",
  summary: "Mark a project's chat as unread from a message on",
  source: "extension",
  scope: "chat:read",
  rule: "chat.read",
  params: z.object(projectParams),
  body: z.object({ message_id: id }),
  response: single("read_marker", readMarker),
});
