import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { FileInfoAnswer } from "../../../contract/records.ts";
import { entryOf } from "../file-lists/entry.fixture.ts";
import { fileListKeys } from "../file-lists/keys.ts";
import { toListing, type Listing } from "../file-lists/listing.ts";
import { putEntry } from "../file-lists/put.ts";
import { NO_FILTER } from "../file-lists/wish.ts";
import { attachmentOf } from "../files/attachment.fixture.ts";
import { fileKeys } from "../files/keys.ts";
import { handle, renewTopic, type LiveContext } from "../live/handlers.ts";
import { putMessage } from "../messages/cache.ts";
import { toHistory, type History } from "../messages/history.ts";
import { messageKeys } from "../messages/keys.ts";
import { messageOf } from "../messages/message.fixture.ts";
import { commentOf } from "./comment.fixture.ts";
import { commentKeys } from "./keys.ts";
import type { FileComments } from "./list.ts";
import { putComment, putCreated, putRead } from "./put.ts";

const ME = 1;
let client: QueryClient;
const LIST = fileListKeys.list(1, { ...NO_FILTER, folderId: 1, sort: "name", order: "asc" });
const message = messageOf(2, { attachments: [attachmentOf(7), attachmentOf(8)] });

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(messageKeys.history(1, "latest"), toHistory({ data: [message] }));
  client.setQueryData(fileKeys.info(7), { common: { id: 7, has_unread_comments: false } });
  client.setQueryData(LIST, toListing({ data: [entryOf(7), entryOf(8)], next_cursor: null }));
  client.setQueryData<FileComments>(commentKeys.file(7), { comments: [], lastRead: 3 });
});

/** Whether there is a dot: on the attachment, in the info, in the list. */
const dots = () => {
  const attachment = client.getQueryData<History>(messageKeys.history(1, "latest"))!.messages[0]!.attachments[0]!;
  const entry = client.getQueryData<Listing>(LIST)!.entries.find(({ id }) => id === 7) as FileEntry;
  return [
    attachment.has_unread_comments,
    client.getQueryData<FileInfoAnswer>(fileKeys.info(7))!.common.has_unread_comments,
    entry.has_unread_comments === true,
  ];
};
const read = (last: number) => ({ file_id: 7, project_id: 1, last_read_comment_id: last, has_unread_comments: false });

test("somebody else's comment puts a dot everywhere; reading takes it away; news that comes again finds it read", () => {
  putCreated(client, commentOf(5, { account_id: 2 }), ME);
  expect(dots()).toEqual([true, true, true]);
  putRead(client, read(5));
  expect(dots()).toEqual([false, false, false]);
  expect(client.getQueryData<FileComments>(commentKeys.file(7))!.lastRead).toBe(5);
  putCreated(client, commentOf(5, { account_id: 2 }), ME);
  expect(dots()).toEqual([false, false, false]);
});

test("one's own comment, and one that was read at opening, put none; a late word of an earlier reading takes none away", () => {
  putCreated(client, commentOf(6), ME);
  putCreated(client, commentOf(3, { account_id: 2 }), ME);
  expect(dots()).toEqual([false, false, false]);
  putRead(client, read(6));
  putCreated(client, commentOf(9, { account_id: 2 }), ME);
  putRead(client, read(5));
  expect(dots()).toEqual([true, true, true]);
});

test("the answer to a reading that comes behind a newer comment leaves its dot, unless that was deleted", () => {
  putCreated(client, commentOf(11, { account_id: 2 }), ME);
  putRead(client, read(10));
  expect(dots()).toEqual([true, true, true]);
  putComment(client, commentOf(11, { account_id: 2, deleted: true, body: "", revision: 2 }));
  putRead(client, read(10));
  expect(dots()).toEqual([false, false, false]);
});

test("news of file and message, which is the same for everybody, leaves the dots as they are", () => {
  putCreated(client, commentOf(5, { account_id: 2 }), ME);
  putMessage(client, { ...message, revision: 2, body: "edited" });
  putEntry(client, entryOf(7, { revision: 2 }));
  expect(dots()).toEqual([true, true, true]);
  expect(client.getQueryData<History>(messageKeys.history(1, "latest"))!.messages[0]!.attachments[1]!.has_unread_comments).toBe(false);
});

test("the live channel tells all three", async () => {
  const context: LiveContext = { client, accountId: ME, isSeen: () => false };
  const tell = (type: string, data: object) => handle(context, { topic: "project:1", seq: 1, type, time: "2026-11-17T09:00:00.000Z", data: { ...data } });
  const list = () => client.getQueryData<FileComments>(commentKeys.file(7))!.comments.map(({ body }) => body);
  tell("comment.created", commentOf(5, { account_id: 2 }));
  await expect.poll(dots).toEqual([true, true, true]);
  tell("comment.updated", commentOf(5, { account_id: 2, revision: 2, body: "better" }));
  await expect.poll(list).toEqual(["better"]);
  tell("comments.read", read(5));
  await expect.poll(dots).toEqual([false, false, false]);
});

test("where the word of one's own reading elsewhere was lost, what shows dots is asked for again", () => {
  renewTopic(client, `account:${ME}`);
  const keys = [messageKeys.history(1, "latest"), fileKeys.info(7), LIST];
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
});
