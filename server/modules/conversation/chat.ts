/** A project's chat: paged history in both directions, idempotent sending, and creating a message with everything that belongs to it. */
import { LIMITS } from "../../../contract/limits.ts";
import { assertCanRead, loadAuthorizedProject, type Actor } from "../../access/access.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { loadPage, MAX_PAGE_BYTES, type PageSize } from "../../http/paging.ts";
import type { JsonText } from "../../http/responses.ts";
import { hashJson } from "../../lib/crypto.ts";
import { conflict, HttpError, invalid, notFound } from "../../lib/errors.ts";
import { assertAudioAttachment, attach, AUDIO_REQUIRED } from "../files/attachments.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { loadAuthorizedFile } from "../files/repository.ts";
import { enqueueWantedEvent } from "../webhooks/webhook-events.ts";
import { storeMentions } from "./mentions.ts";
import { notifyOfMessage } from "./message-notifications.ts";
import type { MessageRef } from "./message-changes.ts";
import { assertPlaylistOfProject } from "./message-playlists.ts";
import {
  findMessageByClientId,
  findFirstMessageSince,
  findMessageRow,
  hasMessagesBeyond,
  indexMessage,
  insertMessage,
  type FileMessageRow,
  loadMessagesOfFile,
  loadNewerMessages,
  loadOlderMessages,
  type MessageRow,
} from "./message-repository.ts";
import { loadMessageViews, loadMessageView, markUnread, personalizeMessages, plainMessageView, presentMessage, type MessageView } from "./message-view.ts";

export interface HistoryQuery {
  projectId: number;
  limit?: number | undefined;
  beforeId?: number | undefined;
  afterId?: number | undefined;
  aroundId?: number | undefined;
  includeDeleted?: boolean | undefined;
}
interface LoadedHistory {
  messages: MessageView[];
  /** The JSON of each message. */
  texts: string[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
}
export interface MessageInput {
  projectId: number;
  body: string;
  parentId: number | null;
  clientId: string | null;
  attachmentIds: number[];
  playlistId: number | null;
  isAudioMessage: boolean;
}
interface NewMessage extends Omit<MessageInput, "parentId"> {
  parent: Pick<Row<"messages">, "id" | "account_id"> | null;
  requestHash: string | null;
  /** The comment that the message shows. */
  commentId: number | null;
}

export function createChat(deps: FileViewDeps) {
  const { database, events, clock, present, pageTexts } = deps;
  const completeForReader = async (actor: Actor, rows: MessageRow[]): Promise<MessageView[]> =>
    personalizeMessages(database.read, actor.accountId, await loadMessageViews(database.read, present, rows));

  async function insertOnce(tx: Tx, actor: Actor, input: MessageInput, projectId: number): Promise<{ id: number; created?: MessageView }> {
    const topic = topicOf.project(projectId);
    await events.lock(tx, topic);
    // Without a playlist the hash is the one of earlier versions, whose messages may still be repeated.
    const content = [input.body, input.parentId, input.attachmentIds, input.isAudioMessage, ...(input.playlistId === null ? [] : [input.playlistId])];
    const requestHash = input.clientId === null ? null : hashJson(content);
    const existing = input.clientId === null ? undefined : await findMessageByClientId(tx, actor.accountId, projectId, input.clientId);
    if (existing && existing.request_hash !== requestHash) throw conflict("This client_id was already used for a different message.");
    if (existing) return { id: existing.id };
    const parent = input.parentId === null ? null : await findMessageRow(tx, projectId, input.parentId);
    if (parent === undefined) throw invalid("parent_message_id", "must be a message of this project");
    if (input.playlistId !== null) await assertPlaylistOfProject(tx, projectId, input.playlistId);
    const created = await createMessage(tx, deps, actor, { ...input, projectId, parent: parent ?? null, requestHash, commentId: null });
    return { id: created.row.id, created };
  }

  /** Loads a page, oldest first. `complete` loads what belongs to the rows. */
  async function loadHistory(query: HistoryQuery, complete: (rows: MessageRow[]) => Promise<MessageView[]>): Promise<LoadedHistory> {
    const { read } = database;
    const limit = Math.min(query.limit ?? LIMITS.history_default, LIMITS.history_max);
    const window = { projectId: query.projectId, includeDeleted: query.includeDeleted ?? false };
    const newer = (after: number, size: PageSize) =>
      loadPage<MessageRow, MessageView>({
        ...size,
        complete,
        present: presentMessage,
        load: (last, count) => loadNewerMessages(read, window, last?.id ?? after, count),
      });
    const older = async (before: number | null, size: PageSize) => {
      const page = await loadPage<MessageRow, MessageView>({
        ...size,
        complete,
        present: presentMessage,
        load: (last, count) => loadOlderMessages(read, window, last?.id ?? before, count),
      });
      return { views: page.views.toReversed(), texts: page.texts.toReversed(), hasMore: page.hasMore };
    };
    if (query.afterId !== undefined) {
      const { views, texts, hasMore } = await newer(query.afterId, { limit });
      const first = views[0]?.row.id ?? query.afterId + 1;
      return { messages: views, texts, hasMoreBefore: await hasMessagesBeyond(read, window, "<", first), hasMoreAfter: hasMore };
    }
    if (query.aroundId !== undefined) {
      const half = Math.floor(limit / 2);
      const maxBytes = MAX_PAGE_BYTES / 2;
      const after = await newer(query.aroundId - 1, { limit: limit - half, maxBytes });
      const before =
        half === 0
          ? { views: [], texts: [], hasMore: await hasMessagesBeyond(read, window, "<", query.aroundId) }
          : await older(query.aroundId, { limit: half, maxBytes });
      return {
        messages: [...before.views, ...after.views],
        texts: [...before.texts, ...after.texts],
        hasMoreBefore: before.hasMore,
        hasMoreAfter: after.hasMore,
      };
    }
    const { views, texts, hasMore } = await older(query.beforeId ?? null, { limit });
    const hasMoreAfter = query.beforeId !== undefined && (await hasMessagesBeyond(read, window, ">", query.beforeId - 1));
    return { messages: views, texts, hasMoreBefore: hasMore, hasMoreAfter };
  }

  return {
    /** Returns a page, oldest first, of at most about 1 MB. `aroundId` centers the page on that message, or on its position if the message is deleted or unknown. */
    async history(actor: Actor, query: HistoryQuery): Promise<Omit<LoadedHistory, "texts">> {
      await loadAuthorizedProject(database.read, actor, "chat.read", query.projectId);
      return loadHistory(query, (rows) => completeForReader(actor, rows));
    },

    /** Returns such a page as the response to `chat_history`: with `seq`, the project's newest event. The page may be newer, but never older. */
    async historyText(actor: Actor, query: HistoryQuery): Promise<JsonText> {
      const project = await loadAuthorizedProject(database.read, actor, "chat.read", query.projectId);
      return pageTexts.load(actor, project, { history: query }, async (seq) => {
        const page = await loadHistory(query, async (rows) => markUnread(await loadMessageViews(database.read, present, rows)));
        return `{"object":"list","data":[${page.texts.join(",")}],"has_more_before":${page.hasMoreBefore},"has_more_after":${page.hasMoreAfter},"seq":${seq}}`;
      });
    },

    /** Returns the message; throws a 404 if it is deleted. */
    async get(actor: Actor, { projectId, messageId }: MessageRef): Promise<MessageView> {
      await loadAuthorizedProject(database.read, actor, "chat.read", projectId);
      const row = await findMessageRow(database.read, projectId, messageId);
      if (!row || row.deleted_at !== null) throw notFound("message");
      const [message] = await personalizeMessages(database.read, actor.accountId, [await loadMessageView(database.read, present, projectId, messageId)]);
      return message!;
    },

    /** Returns the first message written at this time or later, ignoring deleted ones; throws a 404 if there is none. */
    async loadFirstSince(actor: Actor, projectId: number, since: number): Promise<MessageView> {
      await loadAuthorizedProject(database.read, actor, "chat.read", projectId);
      const row = await findFirstMessageSince(database.read, projectId, since);
      if (!row) throw new HttpError(404, "There are no messages since then.");
      const [message] = await completeForReader(actor, [row]);
      return message as MessageView;
    },

    /** Returns the messages that have the file attached; the actor sees all of them, since they are of the file's project. */
    async listOfFile(actor: Actor, fileId: number): Promise<FileMessageRow[]> {
      const { read } = database;
      const file = await loadAuthorizedFile(read, actor, "file.read", fileId);
      await loadAuthorizedProject(read, actor, "chat.read", file.project_id);
      return loadMessagesOfFile(read, file.id, LIMITS.file_messages);
    },

    /** Sends a message once per `clientId`: the same content returns the first message, other content throws a 409. */
    async send(actor: Actor, input: MessageInput, idempotencyKey: IdempotencyKey | null = null): Promise<MessageView> {
      if (input.isAudioMessage && input.attachmentIds.length !== 1) throw invalid("is_audio_message", AUDIO_REQUIRED);
      const hasContent = input.body.trim() !== "" || input.attachmentIds.length > 0 || input.playlistId !== null;
      if (!hasContent) throw invalid("body", "must not be empty without attachments or a playlist");
      if (input.parentId !== null) assertCanRead(actor, "chat:read", "replying to a message");
      if (input.attachmentIds.length > 0) assertCanRead(actor, "files:read", "attaching files");
      if (input.playlistId !== null) assertCanRead(actor, "files:read", "attaching a playlist");
      return database.write(async (tx) => {
        const project = await loadAuthorizedProject(tx, actor, "chat.write", input.projectId);
        let created: MessageView | undefined;
        const id = await runIdempotent(tx, actor, idempotencyKey, clock.now(), async () => {
          const sent = await insertOnce(tx, actor, input, project.id);
          created = sent.created;
          return sent.id;
        });
        const view = created ?? (await loadMessageView(tx, present, project.id, id));
        const [messageView] = await personalizeMessages(tx, actor.accountId, [view]);
        return messageView!;
      });
    },
  };
}

/** Creates a message with its attachments, mentions, search index entry and events. The caller must have locked the project's topic. */
export async function createMessage(tx: Tx, deps: FileViewDeps, actor: Actor, input: NewMessage): Promise<MessageView> {
  const { database, events, clock, present, notify } = deps;
  const row = await insertMessage(tx, {
    project_id: input.projectId,
    account_id: actor.accountId,
    body: input.body,
    type: "message",
    is_audio_message: input.isAudioMessage ? 1 : 0,
    parent_id: input.parent?.id ?? null,
    parent_account_id: input.parent?.account_id ?? null,
    client_id: input.clientId,
    request_hash: input.requestHash,
    revision: 1,
    created_at: clock.now(),
    comment_id: input.commentId,
    playlist_id: input.playlistId,
  });
  await attach(tx, input.projectId, row.id, input.attachmentIds);
  if (input.isAudioMessage) await assertAudioAttachment(tx, row.id);
  // The body of a shared comment is a file name and a time, so text that looks like a mention is not one.
  const mentionedIds = input.commentId === null ? await storeMentions(tx, row, input.body) : [];
  await indexMessage(tx, database.engine, row, input.attachmentIds.length > 0);
  const isPlain = input.parent === null && input.attachmentIds.length === 0 && input.commentId === null && input.playlistId === null;
  const view = isPlain ? plainMessageView(row, mentionedIds) : await loadMessageView(tx, present, input.projectId, row.id);
  const record = presentMessage(view);
  const textOwners = { messageId: row.id, quotedId: row.parent_id };
  await events.append(tx, topicOf.project(input.projectId), "message.created", record, textOwners);
  await enqueueWantedEvent(tx, deps, actor.organisationId, {
    type: "message.created",
    projectId: input.projectId,
    textOwners,
    async loadData() {
      const { id, name } = await tx.selectFrom("projects").select(["id", "name"]).where("id", "=", input.projectId).executeTakeFirstOrThrow();
      return { ...record, project_id: id, project_name: name, changed_by_account_id: actor.accountId };
    },
  });
  await notifyOfMessage(tx, notify, row, mentionedIds);
  return view;
}
