import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { retryProcessing } from "../../../contract/operations/files.ts";
import type { Attachment } from "../../../contract/records.ts";
import { createClient } from "../../app/create-client.ts";
import { buildEntry } from "../../queries/file-lists/entry.fixture.ts";
import { buildAttachment } from "../../queries/files/attachment.fixture.ts";
import { fileKeys } from "../../queries/files/cache-updates.ts";
import { reprocess } from "../../queries/files/use-file.ts";
import { toHistory, type History } from "../../queries/messages/history.ts";
import { messageKeys, messageSearchKeys, singleMessageKeys } from "../../queries/messages/cache-updates.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { handleEvent, handleSignal, type LiveContext } from "./event-handlers.ts";
import { invalidateTopic } from "./invalidate-topic.ts";

const APPROVED = { id: 4, title: "Approved", color: 4, position: 4 };
const HISTORY_KEYS = [messageKeys.history(1, "latest"), messageKeys.history(1, "around:2")];

let context: LiveContext;
const emit = (type: string, data: object) => handleEvent(context, { topic: "project:1", seq: 1, type, time: "2026-11-17T09:00:00.000Z", data: { ...data } });
const emitSignal = (data: object) => handleSignal(context, { type: "file.progress", data }, () => true);
const cachedAttachments = (): Attachment[] => HISTORY_KEYS.map((key) => context.client.queryClient.getQueryData<History>(key)!.messages[1]!.attachments[0]!);
const isInvalid = (key: readonly unknown[]) => context.client.queryClient.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  const client = createClient();
  const attachments = [buildAttachment(7, { transcoding_status: "transcoding", status: null })];
  for (const key of HISTORY_KEYS) client.queryClient.setQueryData(key, toHistory({ data: [buildMessage(1), buildMessage(2, { attachments })] }));
  client.queryClient.setQueryData(fileKeys.info(7), {
    common: { id: 7, name: "file-7.wav", status: null, transcoding_status: "transcoding", version: 1 },
    file_info: { object: "document_file_info" },
  });
  context = { client, accountId: 1, isViewingChat: () => false };
});

test("a processed version shows in every loaded history, and its info is invalidated", () => {
  emitSignal({ project_id: 1, file_id: 7, version: 1, step: "peaks", progress: 0.62 });
  emit("attachment.updated", buildAttachment(7, { compressed_file_url: "/compressed" }));
  expect(cachedAttachments()).toMatchObject([{ transcoding_status: "transcoded", compressed_file_url: "/compressed" }, { transcoding_status: "transcoded" }]);
  expect(isInvalid(fileKeys.info(7))).toBe(true);
  expect(context.client.queryState.processingProgress.get(7, 1)).toBeUndefined();
});

test("a status event shows on attachments and in the info, without a refetch", () => {
  emit("file.updated", record(7, { status: APPROVED, transcoding_status: "transcoding" }));
  expect(cachedAttachments().map(({ status, audio }) => [status, audio?.status])).toEqual([
    [APPROVED, APPROVED],
    [APPROVED, APPROVED],
  ]);
  expect(context.client.queryClient.getQueryData(fileKeys.info(7))).toMatchObject({ common: { status: APPROVED } });
  expect(isInvalid(fileKeys.info(7))).toBe(false);
});

test("single messages with the audio of a time link are loaded again when their file or they themselves change, and others stay", () => {
  const [replied, above, other] = [singleMessageKeys.message(1, 20), singleMessageKeys.above(1, 90), singleMessageKeys.message(1, 21)];
  const fresh = () => {
    const cache = context.client.queryClient;
    cache.setQueryData(replied, buildMessage(20, { attachments: [buildAttachment(7)] }));
    cache.setQueryData(above, buildMessage(40, { attachments: [buildAttachment(7)] }));
    cache.setQueryData(other, buildMessage(21, { attachments: [buildAttachment(8)] }));
  };
  const outdated = () => [replied, above, other].map((key) => isInvalid(key));
  fresh();
  emit("file.deleted", { id: 7, parent_id: 1 });
  expect(outdated()).toEqual([true, true, false]);
  fresh();
  emit("message.updated", buildMessage(20, { revision: 2, deleted: true }));
  expect(outdated()).toEqual([true, false, false]);
  fresh();
  // Its files came back, and no message with files is nearer above message 90.
  emit("message.updated", buildMessage(60, { revision: 2, attachments: [buildAttachment(9)] }));
  expect(outdated()).toEqual([false, true, false]);
  fresh();
  emit("message.updated", buildMessage(30, { revision: 2, attachments: [buildAttachment(9)] }));
  expect(outdated()).toEqual([false, false, false]);
  invalidateTopic(context.client, "project:1");
  expect(outdated()).toEqual([true, true, true]);
});

const record = (id: number, changes: object = {}) => buildEntry(id, { name: `file-${id}.wav`, ...changes });

describe("a file event", () => {
  test("refetches a page that did not find the file", async () => {
    const queryFn = vi
      .fn()
      .mockRejectedValueOnce(new Error("404"))
      .mockResolvedValue({ common: { id: 9 } });
    const page = new QueryObserver(context.client.queryClient, { queryKey: fileKeys.info(9), queryFn, retry: false });
    const unsubscribe = page.subscribe(() => {});
    await expect.poll(() => page.getCurrentResult().isError).toBe(true);
    emit("file.created", record(8));
    expect(queryFn).toHaveBeenCalledOnce();
    emit("file.created", record(9));
    await expect.poll(() => page.getCurrentResult().data).toEqual({ common: { id: 9 } });
    unsubscribe();
  });

  test("updates name and status in messages and pages", () => {
    emit("file.created", record(7, { name: "final.wav", status: APPROVED }));
    expect(cachedAttachments().map(({ name, status }) => [name, status?.title])).toEqual([
      ["final.wav", "Approved"],
      ["final.wav", "Approved"],
    ]);
    expect(context.client.queryClient.getQueryData(fileKeys.info(7))).toMatchObject({ common: { name: "final.wav", status: APPROVED } });
  });

  test("is not undone by an older response of a refetch in flight", async () => {
    const response = Promise.withResolvers<object>();
    const queryFn = vi
      .fn<() => Promise<object>>()
      .mockResolvedValue({ common: { id: 7, status: APPROVED } })
      .mockReturnValueOnce(response.promise);
    const unsubscribe = new QueryObserver(context.client.queryClient, { queryKey: fileKeys.info(7), queryFn, retry: false }).subscribe(() => {});
    emit("file.updated", record(7, { status: APPROVED, version: 1, transcoding_status: "transcoding" }));
    response.resolve({ common: { id: 7, status: null } });
    await expect.poll(() => context.client.queryClient.isFetching()).toBe(0);
    expect(context.client.queryClient.getQueryData(fileKeys.info(7))).toMatchObject({ common: { status: APPROVED } });
    unsubscribe();
  });

  test("invalidates file info whose first request was in flight", async () => {
    const response = Promise.withResolvers<object>();
    const first = context.client.queryClient.fetchQuery({ queryKey: fileKeys.info(9), queryFn: () => response.promise });
    emit("file.updated", record(9, { status: APPROVED }));
    response.resolve({ common: { id: 9, status: null } });
    await first;
    await expect.poll(() => isInvalid(fileKeys.info(9))).toBe(true);
  });
});

test("a deleted file is marked on its attachments, and its info is invalidated", () => {
  emit("file.deleted", { id: 7, parent_id: 1 });
  expect(cachedAttachments()).toMatchObject([{ deleted: true }, { deleted: true }]);
  expect(isInvalid(fileKeys.info(7))).toBe(true);
});

test("deleting or restoring a folder invalidates the pages of the files in it, a file only its own", () => {
  const takeInvalidated = () => {
    const before = isInvalid(fileKeys.info(8));
    context.client.queryClient.setQueryData(fileKeys.info(8), { common: { id: 8, name: "in.wav" } });
    return before;
  };
  takeInvalidated();
  emit("file.deleted", { id: 7, parent_id: 1, is_folder: false });
  expect(takeInvalidated()).toBe(false);
  emit("file.deleted", { id: 3, parent_id: 1, is_folder: true });
  expect(takeInvalidated()).toBe(true);
  emit("file.created", record(3, { is_folder: true }));
  expect(takeInvalidated()).toBe(false);
  emit("file.created", record(3, { is_folder: true, restored: true }));
  expect(takeInvalidated()).toBe(true);
});

describe("a file that is processed again", () => {
  const common = { id: 7, version: 1, transcoding_status: "transcoding", failure: null };
  const states = () => cachedAttachments().map(({ transcoding_status }) => transcoding_status);

  test("shows it once the service has responded", async () => {
    emit("attachment.updated", buildAttachment(7, { transcoding_status: "failed" }));
    vi.spyOn(context.client.api, "data").mockResolvedValue(common);
    await reprocess(context.client, retryProcessing, 7);
    expect(states()).toEqual(["transcoding", "transcoding"]);
  });

  test("shows its end although the response arrives after the event of the end", async () => {
    emit("attachment.updated", buildAttachment(7, { transcoding_status: "failed" }));
    vi.spyOn(context.client.api, "data").mockImplementation(async () => {
      emit("attachment.updated", buildAttachment(7, { transcoding_status: "failed" }));
      return common;
    });
    await reprocess(context.client, retryProcessing, 7);
    expect(states()).toEqual(["failed", "failed"]);
  });
});

describe("processing progress", () => {
  test("is available while a version is processed", () => {
    emitSignal({ project_id: 1, file_id: 7, version: 1, step: "peaks", progress: 0.62 });
    expect(context.client.queryState.processingProgress.get(7, 1)).toBe(0.62);
    emit("attachment.updated", buildAttachment(7, { transcoding_status: "transcoding" }));
    expect(context.client.queryState.processingProgress.get(7, 1)).toBe(0.62);
  });

  test("of the wrong type is ignored", () => {
    emitSignal({ project_id: 1, file_id: 7, version: 1, progress: "much" });
    expect(context.client.queryState.processingProgress.get(7, 1)).toBeUndefined();
  });
});

test("a topic that is reset refetches its files and search results", () => {
  const searchKey = [...messageSearchKeys.project(1), { q: "mix" }];
  context.client.queryClient.setQueryData(searchKey, { pages: [], pageParams: [] });
  invalidateTopic(context.client, "project:1");
  expect(isInvalid(fileKeys.info(7))).toBe(true);
  expect(isInvalid(searchKey)).toBe(true);
});
