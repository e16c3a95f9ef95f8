import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { FileInfoResponse } from "../../../contract/records.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../app/create-client.ts";
import { handleEvent, type LiveContext } from "../../sync/live/event-handlers.ts";
import { invalidateTopic } from "../../sync/live/invalidate-topic.ts";
import { upsertEntry } from "../file-lists/cache-updates.ts";
import { buildEntry } from "../file-lists/entry.fixture.ts";
import { fileListKeys, NO_FILTER } from "../file-lists/list-query.ts";
import { toListing, type Listing } from "../file-lists/listing.ts";
import { buildAttachment } from "../files/attachment.fixture.ts";
import { fileKeys } from "../files/cache-updates.ts";
import { toHistory, type History } from "../messages/history.ts";
import { messageKeys, upsertCachedMessage } from "../messages/cache-updates.ts";
import { buildMessage } from "../messages/message.fixture.ts";
import { upsertComment, upsertNewComment, applyCommentsRead } from "./cache-updates.ts";
import { commentKeys, type FileComments } from "./comment-list.ts";
import { buildComment } from "./comment.fixture.ts";

const ME = 1;
let client: Client;
const LIST = fileListKeys.list(1, { ...NO_FILTER, folderId: 1, isFlat: false, fields: [], sort: "name", sortField: null, order: "asc" });
const message = buildMessage(2, { attachments: [buildAttachment(7), buildAttachment(8)] });

beforeEach(() => {
  client = createClient();
  client.queryClient.setQueryData(messageKeys.history(1, "latest"), toHistory({ data: [message] }));
  client.queryClient.setQueryData(fileKeys.info(7), { common: { id: 7, has_unread_comments: false } });
  client.queryClient.setQueryData(LIST, toListing({ data: [buildEntry(7), buildEntry(8)], next_cursor: null }));
  client.queryClient.setQueryData<FileComments>(commentKeys.file(7), { comments: [], lastReadId: 3 });
});

/** Returns whether there is an unread dot on the attachment, in the info and in the list. */
const unreadFlags = () => {
  const attachment = client.queryClient.getQueryData<History>(messageKeys.history(1, "latest"))!.messages[0]!.attachments[0]!;
  const entry = client.queryClient.getQueryData<Listing>(LIST)!.entries.find(({ id }) => id === 7) as FileEntry;
  return [
    attachment.has_unread_comments,
    client.queryClient.getQueryData<FileInfoResponse>(fileKeys.info(7))!.common.has_unread_comments,
    entry.has_unread_comments === true,
  ];
};
const buildRead = (last: number) => ({ file_id: 7, project_id: 1, last_read_comment_id: last, has_unread_comments: false });

test("another account's comment is unread in every cache until it is read, and a repeated event does not change that", () => {
  upsertNewComment(client, buildComment(5, { account_id: 2 }), ME);
  expect(unreadFlags()).toEqual([true, true, true]);
  applyCommentsRead(client, buildRead(5));
  expect(unreadFlags()).toEqual([false, false, false]);
  expect(client.queryClient.getQueryData<FileComments>(commentKeys.file(7))!.lastReadId).toBe(5);
  upsertNewComment(client, buildComment(5, { account_id: 2 }), ME);
  expect(unreadFlags()).toEqual([false, false, false]);
});

test("own and already read comments are not unread, and an older read event clears nothing", () => {
  upsertNewComment(client, buildComment(6), ME);
  upsertNewComment(client, buildComment(3, { account_id: 2 }), ME);
  expect(unreadFlags()).toEqual([false, false, false]);
  applyCommentsRead(client, buildRead(6));
  upsertNewComment(client, buildComment(9, { account_id: 2 }), ME);
  applyCommentsRead(client, buildRead(5));
  expect(unreadFlags()).toEqual([true, true, true]);
});

test("a read response older than a comment leaves it unread, unless the comment was deleted", () => {
  upsertNewComment(client, buildComment(11, { account_id: 2 }), ME);
  applyCommentsRead(client, buildRead(10));
  expect(unreadFlags()).toEqual([true, true, true]);
  upsertComment(client, buildComment(11, { account_id: 2, deleted: true, body: "", revision: 2 }));
  applyCommentsRead(client, buildRead(10));
  expect(unreadFlags()).toEqual([false, false, false]);
});

test("comments that wait for their refetch still wait after a change", () => {
  invalidateTopic(client, "project:1");
  upsertComment(client, buildComment(5));
  expect(client.queryClient.getQueryData<FileComments>(commentKeys.file(7))!.comments).toHaveLength(1);
  expect(client.queryClient.getQueryState(commentKeys.file(7))!.isInvalidated).toBe(true);
});

test("the unread flag of a file is not undone by an older response of a refetch in flight", async () => {
  const buildInfo = (has_unread_comments: boolean) => ({ common: { id: 7, has_unread_comments } });
  const queryFn = vi.fn<() => Promise<object>>().mockResolvedValue(buildInfo(true)).mockResolvedValueOnce(buildInfo(false));
  onTestFinished(new QueryObserver(client.queryClient, { queryKey: fileKeys.info(7), queryFn }).subscribe(() => {}));
  upsertNewComment(client, buildComment(5, { account_id: 2 }), ME);
  await expect.poll(() => client.queryClient.isFetching()).toBe(0);
  expect(unreadFlags()).toEqual([true, true, true]);
});

test("message and file events do not change the unread flags", () => {
  upsertNewComment(client, buildComment(5, { account_id: 2 }), ME);
  upsertCachedMessage(client, { ...message, revision: 2, body: "edited" });
  upsertEntry(client, buildEntry(7, { revision: 2 }));
  expect(unreadFlags()).toEqual([true, true, true]);
  expect(client.queryClient.getQueryData<History>(messageKeys.history(1, "latest"))!.messages[0]!.attachments[1]!.has_unread_comments).toBe(false);
});

test("live comment events update the comments and the unread flags", async () => {
  const context: LiveContext = { client, accountId: ME, isViewingChat: () => false };
  const emit = (type: string, data: object) => handleEvent(context, { topic: "project:1", seq: 1, type, time: "2026-11-17T09:00:00.000Z", data: { ...data } });
  const list = () => client.queryClient.getQueryData<FileComments>(commentKeys.file(7))!.comments.map(({ body }) => body);
  emit("comment.created", buildComment(5, { account_id: 2 }));
  await expect.poll(unreadFlags).toEqual([true, true, true]);
  emit("comment.updated", buildComment(5, { account_id: 2, revision: 2, body: "better" }));
  await expect.poll(list).toEqual(["better"]);
  emit("comments.read", buildRead(5));
  await expect.poll(unreadFlags).toEqual([false, false, false]);
});

test("a reset of the account's topic invalidates everything with unread flags", () => {
  invalidateTopic(client, `account:${ME}`);
  const keys = [messageKeys.history(1, "latest"), fileKeys.info(7), LIST];
  expect(keys.map((key) => client.queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
});
