/** Routes of messages, read markers and comments. */
import type { ValidatedInput } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as resources from "../../../contract/operations/resources.ts";
import type { MemberReadMarker } from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { iso, parseTime } from "../../lib/iso-time.ts";
import { withoutCutMention } from "../../lib/mention-text.ts";
import { presentComment, presentReadPosition } from "./comment-presenter.ts";
import type { MessageRef } from "./message-changes.ts";
import type { FileMessageRow } from "./message-repository.ts";
import { presentMessage, type MessageView } from "./message-view.ts";
import type { ReadMarker } from "./read-markers.ts";
import type { ConversationServices } from "./services.ts";

export function registerConversationRoutes(route: Route, services: ConversationServices): void {
  registerChatRoutes(route, services);
  registerMessageRoutes(route, services);
  registerSearchRoutes(route, services);
  registerReadMarkerRoutes(route, services);
  registerCommentRoutes(route, services);
}

function registerChatRoutes(route: Route, services: ConversationServices): void {
  route(chat.chatHistory, ({ actor, body }) =>
    services.chat.historyText(actor, {
      projectId: body.project_id,
      limit: body.limit ?? undefined,
      beforeId: body.before_id,
      afterId: body.after_id,
      aroundId: body.around_id,
      includeDeleted: body.include_deleted ?? undefined,
    }),
  );
  route(chat.sendMessage, async ({ actor, body, idempotencyKey }) =>
    single("message", presentMessage(await services.chat.send(actor, toMessageInput(body.project_id, body), idempotencyKey))),
  );
  route(resources.createMessage, async ({ actor, params, body, idempotencyKey }) =>
    single("message", presentMessage(await services.chat.send(actor, toMessageInput(params.project_id, body), idempotencyKey))),
  );
  route(resources.getMessage, async ({ actor, params }) => presentResponse(await services.chat.get(actor, toMessageRef(params))));
}

const toMessageInput = (projectId: number, body: ValidatedInput<typeof resources.createMessage>["body"]) => ({
  projectId,
  body: body.body ?? "",
  parentId: body.parent_message_id ?? null,
  clientId: body.client_id ?? null,
  attachmentIds: body.attachment_ids ?? [],
  playlistId: body.playlist_id ?? null,
  isAudioMessage: body.is_audio_message ?? false,
});

function registerMessageRoutes(route: Route, { chat: chatService, messageChanges }: ConversationServices): void {
  route(messages.editMessage, async ({ actor, params, body }) => presentResponse(await messageChanges.edit(actor, toMessageRef(params), body.body)));
  route(messages.deleteMessage, async ({ actor, params }) => presentResponse(await messageChanges.remove(actor, toMessageRef(params))));
  route(messages.restoreMessage, async ({ actor, params }) => presentResponse(await messageChanges.restore(actor, toMessageRef(params))));
  route(messages.addReaction, async ({ actor, params }) => presentResponse(await messageChanges.react(actor, toMessageRef(params), params.emoji)));
  route(messages.removeReaction, async ({ actor, params }) => presentResponse(await messageChanges.unreact(actor, toMessageRef(params), params.emoji)));
  route(messages.listFileMessages, async ({ actor, params }) => list((await chatService.listOfFile(actor, params.file_id)).map(presentFileMessage)));
  route(messages.findFirstMessage, async ({ actor, params, query }) =>
    presentResponse(await chatService.loadFirstSince(actor, params.project_id, Date.parse(query.since))),
  );
}

function registerSearchRoutes(route: Route, services: ConversationServices): void {
  route(messages.searchMessages, async ({ actor, params, query }) => {
    // Messages are newest first, so the next page continues below the cursor's id.
    const { after: before, limit } = parsePage(query);
    const { q, account_id, since, until, has } = query;
    if ([q, account_id, since, until, has].every((criterion) => criterion === undefined)) {
      const history = await services.chat.history(actor, { projectId: params.project_id, limit, beforeId: before === 0 ? undefined : before });
      const newestFirst = history.messages.toReversed().map(presentMessage);
      return list(newestFirst, { next_cursor: encodeCursor(history.hasMoreBefore ? (newestFirst.at(-1)?.id ?? null) : null) });
    }
    const page = await services.chatSearch.search(actor, {
      projectId: params.project_id,
      q: query.q ?? "",
      accountId: query.account_id,
      since: parseTime(query.since) ?? undefined,
      until: parseTime(query.until) ?? undefined,
      has: query.has,
      before,
      limit,
    });
    return list(page.messages.map(presentMessage), { next_cursor: encodeCursor(page.next) });
  });
}

function registerReadMarkerRoutes(route: Route, { readMarkers }: ConversationServices): void {
  route(chat.getReadMarker, async ({ actor, params }) => presentReadMarker(await readMarkers.getReadMarker(actor, params.project_id)));
  route(chat.moveReadMarker, async ({ actor, params, body }) => presentReadMarker(await readMarkers.moveReadMarker(actor, params.project_id, body.message_id)));
  route(messages.markUnread, async ({ actor, params, body }) => presentReadMarker(await readMarkers.markUnread(actor, params.project_id, body.message_id)));
  route(messages.listReaders, async ({ actor, params }) => list((await readMarkers.listReaders(actor, params.project_id)).map(presentMemberReadMarker)));
}

function registerCommentRoutes(route: Route, services: ConversationServices): void {
  route(comments.listComments, async ({ actor, params, query }) => {
    const page = await services.comments.list(actor, params.file_id, query.after_id ?? 0, query.limit ?? LIMITS.comments_page_max);
    return list(page.comments.map(presentComment), { has_more: page.hasMore, last_read_comment_id: page.lastRead, seq: page.seq });
  });
  route(comments.writeComment, async ({ actor, params, body, idempotencyKey }) => {
    const input = {
      body: body.body ?? "",
      version: body.version ?? null,
      positionMs: body.position_ms ?? null,
      endMs: body.end_ms ?? null,
      parentId: body.parent_comment_id ?? null,
      clientId: body.client_id ?? null,
      attachmentIds: body.attachment_ids ?? [],
    };
    return single("comment", presentComment(await services.comments.write(actor, params.file_id, input, idempotencyKey)));
  });
  route(comments.updateComment, async ({ actor, params, body }) =>
    single("comment", presentComment(await services.commentChanges.update(actor, params.comment_id, body))),
  );
  route(comments.deleteComment, async ({ actor, params }) => single("comment", presentComment(await services.commentChanges.remove(actor, params.comment_id))));
  route(comments.restoreComment, async ({ actor, params }) =>
    single("comment", presentComment(await services.commentChanges.restore(actor, params.comment_id))),
  );
  route(comments.markCommentsRead, async ({ actor, params, body }) =>
    single("comments_read", presentReadPosition(await services.commentReads.markRead(actor, params.file_id, body.last_comment_id))),
  );
  route(comments.showComment, async ({ actor, params }) =>
    single("message", presentMessage(await services.commentChanges.showInChat(actor, params.comment_id))),
  );
}

const presentFileMessage = (row: FileMessageRow): messages.FileMessage => ({
  message_id: row.id,
  project_id: row.project_id,
  version: row.number,
  account_id: row.account_id,
  datetime: iso(row.created_at),
  excerpt: withoutCutMention(row.excerpt),
});

const presentResponse = (message: MessageView) => single("message", presentMessage(message));

const toMessageRef = (params: { project_id: number; message_id: number }): MessageRef => ({ projectId: params.project_id, messageId: params.message_id });

const presentReadMarker = (marker: ReadMarker) =>
  single("read_marker", {
    project_id: marker.projectId,
    last_read_message_id: marker.lastReadMessageId,
    unread_count: marker.unreadCount,
    mention_count: marker.mentionCount,
  });

const presentMemberReadMarker = (row: Pick<Row<"read_markers">, "account_id" | "last_read_message_id" | "moved_at">): MemberReadMarker => ({
  account_id: row.account_id,
  last_read_message_id: row.last_read_message_id,
  moved_at: iso(row.moved_at),
});
