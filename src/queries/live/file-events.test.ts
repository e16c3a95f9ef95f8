import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Attachment } from "../../../contract/records.ts";
import { entryOf } from "../file-lists/entry.fixture.ts";
import { attachmentOf } from "../files/attachment.fixture.ts";
import { fileKeys } from "../files/keys.ts";
import { progressOf } from "../files/progress.ts";
import { toHistory, type History } from "../messages/history.ts";
import { foundKeys } from "../message-search/keys.ts";
import { messageKeys } from "../messages/keys.ts";
import { messageOf } from "../messages/message.fixture.ts";
import { handle, handleSignal, renewTopic, type LiveContext } from "./handlers.ts";

const APPROVED = { id: 4, title: "Approved", color: 4, position: 4 };
const STRETCHES = [messageKeys.history(1, "latest"), messageKeys.history(1, "around:2")];

let context: LiveContext;
const tell = (type: string, data: object) => handle(context, { topic: "project:1", seq: 1, type, time: "2026-11-17T09:00:00.000Z", data: { ...data } });
const signal = (data: object) => handleSignal(context, { type: "file.progress", data }, () => true);
const shown = (): Attachment[] => STRETCHES.map((key) => context.client.getQueryData<History>(key)!.messages[1]!.attachments[0]!);
const isInvalid = (key: readonly unknown[]) => context.client.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  const client = new QueryClient();
  const attachments = [attachmentOf(7, { transcoding_status: "transcoding", status: null })];
  for (const key of STRETCHES) client.setQueryData(key, toHistory({ data: [messageOf(1), messageOf(2, { attachments })] }));
  client.setQueryData(fileKeys.info(7), {
    common: { id: 7, name: "file-7.wav", status: null, transcoding_status: "transcoding", version: 1 },
    file_info: { object: "document_file_info" },
  });
  context = { client, accountId: 1, isSeen: () => false };
});

test("a processed version is shown in every loaded stretch, and its info is fetched again", () => {
  signal({ project_id: 1, file_id: 7, version: 1, step: "peaks", progress: 0.62 });
  tell("attachment.updated", attachmentOf(7, { compressed_file_url: "/compressed" }));
  expect(shown()).toMatchObject([{ transcoding_status: "transcoded", compressed_file_url: "/compressed" }, { transcoding_status: "transcoded" }]);
  expect(isInvalid(fileKeys.info(7))).toBe(true);
  expect(progressOf(context.client).of(7, 1)).toBeUndefined();
});

test("a status that somebody sets is shown on attachments and in the info, without asking again", () => {
  tell("file.updated", record(7, { status: APPROVED, transcoding_status: "transcoding" }));
  expect(shown().map(({ status, audio }) => [status, audio?.status])).toEqual([
    [APPROVED, APPROVED],
    [APPROVED, APPROVED],
  ]);
  expect(context.client.getQueryData(fileKeys.info(7))).toMatchObject({ common: { status: APPROVED } });
  expect(isInvalid(fileKeys.info(7))).toBe(false);
});

const record = (id: number, more: object = {}) => entryOf(id, { name: `file-${id}.wav`, ...more });

describe("a file that comes", () => {
  test("is asked for again by the page that was told there is none", async () => {
    const ask = vi
      .fn()
      .mockRejectedValueOnce(new Error("404"))
      .mockResolvedValue({ common: { id: 9 } });
    const page = new QueryObserver(context.client, { queryKey: fileKeys.info(9), queryFn: ask, retry: false });
    const leave = page.subscribe(() => {});
    await expect.poll(() => page.getCurrentResult().isError).toBe(true);
    tell("file.created", record(8));
    expect(ask).toHaveBeenCalledOnce();
    tell("file.created", record(9));
    await expect.poll(() => page.getCurrentResult().data).toEqual({ common: { id: 9 } });
    leave();
  });

  test("tells what messages and pages show of it already", () => {
    tell("file.created", record(7, { name: "final.wav", status: APPROVED }));
    expect(shown().map(({ name, status }) => [name, status?.title])).toEqual([
      ["final.wav", "Approved"],
      ["final.wav", "Approved"],
    ]);
    expect(context.client.getQueryData(fileKeys.info(7))).toMatchObject({ common: { name: "final.wav", status: APPROVED } });
  });

  test("is asked for once more when its first answer was under way", async () => {
    const answer = Promise.withResolvers<object>();
    const first = context.client.fetchQuery({ queryKey: fileKeys.info(9), queryFn: () => answer.promise });
    tell("file.updated", record(9, { status: APPROVED }));
    answer.resolve({ common: { id: 9, status: null } });
    await first;
    await expect.poll(() => isInvalid(fileKeys.info(9))).toBe(true);
  });
});

test("a deleted file leaves its message", () => {
  tell("file.deleted", { id: 7, parent_id: 1 });
  expect(shown()).toMatchObject([{ deleted: true }, { deleted: true }]);
  expect(isInvalid(fileKeys.info(7))).toBe(true);
});

test("a folder takes pages of what lay in it along, and brings them back; a file only its own", () => {
  const asked = () => {
    const before = isInvalid(fileKeys.info(8));
    context.client.setQueryData(fileKeys.info(8), { common: { id: 8, name: "in.wav" } });
    return before;
  };
  asked();
  tell("file.deleted", { id: 7, parent_id: 1, is_folder: false });
  expect(asked()).toBe(false);
  tell("file.deleted", { id: 3, parent_id: 1, is_folder: true });
  expect(asked()).toBe(true);
  tell("file.created", record(3, { is_folder: true }));
  expect(asked()).toBe(false);
  tell("file.created", record(3, { is_folder: true, restored: true }));
  expect(asked()).toBe(true);
});

describe("progress", () => {
  test("is kept while a version is processed", () => {
    signal({ project_id: 1, file_id: 7, version: 1, step: "peaks", progress: 0.62 });
    expect(progressOf(context.client).of(7, 1)).toBe(0.62);
    tell("attachment.updated", attachmentOf(7, { transcoding_status: "transcoding" }));
    expect(progressOf(context.client).of(7, 1)).toBe(0.62);
  });

  test("in another form changes nothing", () => {
    signal({ project_id: 1, file_id: 7, version: 1, progress: "much" });
    expect(progressOf(context.client).of(7, 1)).toBeUndefined();
  });
});

test("a topic that lost its thread asks for its files and its search results again", () => {
  const found = [...foundKeys.project(1), { q: "mix" }];
  context.client.setQueryData(found, { pages: [], pageParams: [] });
  renewTopic(context.client, "project:1");
  expect(isInvalid(fileKeys.info(7))).toBe(true);
  expect(isInvalid(found)).toBe(true);
});
