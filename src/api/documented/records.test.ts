import { describe, expect, test } from "vitest";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { getFileInfo } from "../../../contract/operations/files.ts";
import { createWebhookEndpoint } from "../../../contract/operations/webhooks.ts";
import type { AudioFileInfo, FileInfoResponse, Message } from "../../../contract/records.ts";
import { isUnknown } from "../../lib/unknown-members.ts";
import { attachment, audioInfo, common, fileInfo, message, read } from "./documented.fixture.ts";
import { readFileStatus } from "./records.ts";

const readMessages = (data: unknown) => (read(chatHistory, { object: "list", data }) as { data: Message[] }).data;
const readMessage = (changes: object) => readMessages([{ ...message, ...changes }])[0]!;
const readAttachment = (changes: object) => readMessage({ attachments: [{ ...attachment, ...changes }] }).attachments[0]!;
const readInfo = (changes: object) => read(getFileInfo, { ...fileInfo, ...changes }) as FileInfoResponse;
const readAudio = (changes: object) => readInfo({ file_info: { ...audioInfo, ...changes } }).file_info as AudioFileInfo;
const readCommon = (changes: object) => readInfo({ common: { ...common, ...changes } }).common;

test("records that keep to the document stay as they are", () => {
  const messages = [message, { ...message, id: 102, parent_message_id: 101, parent_chat_id: 5, parent_account_id: 9, attachments: [attachment] }];
  expect(read(chatHistory, { object: "list", data: messages })).toEqual({ object: "list", data: messages });
  expect(read(getFileInfo, fileInfo)).toEqual(fileInfo);
  expect(readCommon({ status: { id: 3, title: "Approved", color: 4, position: 1 } }).status).toEqual({ id: 3, title: "Approved", color: 4, position: 1 });
});

test("unknown members stay, and members that this project adds are dropped if they have another type", () => {
  expect(readMessage({ shiny: { deep: 1 }, revision: "v2", deleted: "no", reactions: {}, client_id: null })).toEqual({
    ...message,
    shiny: { deep: 1 },
    client_id: null,
  });
  expect(readAttachment({ kind: 7, audio: "none", version: 3 })).toEqual({ ...attachment, version: 3 });
  expect(readInfo({ file_info: { ...audioInfo, corrected: 1, cover_url: null } }).file_info).toEqual(audioInfo);
});

test.each<[unknown, unknown]>([
  [null, null],
  [undefined, null],
  ["", null],
  [{}, null],
  ["Approved", { id: 0, title: "Approved", color: 0, position: 0 }],
  [4, { id: 4, title: "Status 4", color: 0, position: 0 }],
  [{ id: "1234" }, { id: 1234, title: "Status 1234", color: 0, position: 0 }],
  [
    { id: 1, title: " ", color: null, position: "2" },
    { id: 1, title: "Status 1", color: 0, position: 2 },
  ],
  [
    { id: 1, title: "Odd", color: -7.4, position: 0 },
    { id: 1, title: "Odd", color: -7, position: 0 },
  ],
])("status %j", (value, status) => expect(readFileStatus(value)).toEqual(status));

describe("messages", () => {
  test("are sorted, and appear once", () => {
    const sorted = readMessages([{ ...message, id: 3 }, message, { ...message, id: 3, body: "later" }, { ...message, id: "2" }]);
    expect(sorted.map(({ id, body }) => [id, body])).toEqual([
      [2, "Listen"],
      [3, "later"],
      [101, "Listen"],
    ]);
    const [withRevision] = readMessages([
      { ...message, revision: 2, body: "new" },
      { ...message, revision: 1, body: "old" },
    ]);
    expect(withRevision!.body).toBe("new");
  });

  test("without an id are left out and counted", () => {
    expect(read(chatHistory, { data: [{ ...message, id: null }, null, { ...message, id: "x" }, message] })).toMatchObject({
      data: [{ id: 101 }],
      unreadable: 3,
    });
  });

  test("10,000 messages are read although fewer were requested", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ ...message, id: 10_000 - index }));
    expect(readMessages(many).map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  });

  test.each([
    [
      { id: "7", account_id: "8", chat_id: undefined },
      { id: 7, account_id: 8, chat_id: 5 },
    ],
    [{ account_id: null }, { account_id: 0 }],
    [{ body: null }, { body: "" }],
    [{ body: 12 }, { body: "12" }],
    [{ attachments: null }, { attachments: [] }],
    [{ attachments: {} }, { attachments: [] }],
    [{ attachments: [null, 4, "x"] }, { attachments: [] }],
    [
      { type: null, edited: "true", is_audio_message: 1 },
      { type: "message", edited: true, is_audio_message: true },
    ],
    [{ type: "system" }, { type: "system" }],
    [
      { parent_message_id: "99", parent_chat_id: undefined },
      { parent_message_id: 99, parent_chat_id: null },
    ],
  ])("%j", (changes, expected) => expect(readMessage(changes)).toMatchObject(expected));

  test.each<[unknown, string]>([
    ["2026-03-01T10:00:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01 10:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01", "2026-03-01T00:00:00.000Z"],
    [1_772_359_200, "2026-03-01T10:00:00.000Z"],
    ["1772359200000", "2026-03-01T10:00:00.000Z"],
    ["Sun, 01 Mar 2026 10:00:00 GMT", "2026-03-01T10:00:00.000Z"],
  ])("the time %j is %s", (datetime, iso) => {
    expect(readMessage({ datetime }).datetime).toBe(iso);
    expect(isUnknown(readMessage({ datetime }), "datetime")).toBe(false);
  });

  test.each(["msg-7", "yesterday 5", "2026", "20260301", 3, -1, "2026-13-45", "10:00", true, {}])("the time %j is unknown", (datetime) => {
    expect(isUnknown(readMessage({ datetime }), "datetime")).toBe(true);
  });

  test("without a readable time have the time of their neighbor", () => {
    const at = ["soon", "2026-03-02T10:00:00Z", null, "2026-03-01T10:00:00Z", 1e20];
    const sorted = readMessages(at.map((datetime, index) => ({ ...message, id: index + 1, datetime })));
    expect(sorted.map(({ datetime }) => datetime.slice(8, 10))).toEqual(["02", "02", "02", "01", "01"]);
    expect(sorted.map((record) => isUnknown(record, "datetime"))).toEqual([true, false, true, false, true]);
    expect(readMessage({ datetime: "" })).toMatchObject({ datetime: "1970-01-01T00:00:00.000Z" });
  });
});

test.each([
  [
    { id: "12", size: undefined },
    { id: 12, size: 0 },
  ],
  [{ size: "39200000" }, { size: 39_200_000 }],
  [{ size: 12.4 }, { size: 12 }],
  [{ size: -1 }, { size: 0 }],
  [{ name: null }, { name: "File 12" }],
  [
    { id: undefined, name: "a.wav" },
    { id: -1, kind: "document" },
  ],
  [
    { duration: "3.5", stills_url: "/stills/1.webp" },
    { duration: 3.5, stills_url: "https://media.example/stills/1.webp" },
  ],
  [
    { thumbnail: "thumb.png", url: "javascript:alert(1)", compressed_file_url: "" },
    { thumbnail: "https://media.example/service/thumb.png", url: "", compressed_file_url: null },
  ],
  [{ transcoding_status: "queued" }, { transcoding_status: "queued" }],
  [{ transcoding_status: null }, { transcoding_status: "" }],
])("attachment %j", (changes, expected) => expect(readAttachment(changes)).toMatchObject(expected));

test("URLs of this page's own service stay as they are", () => {
  const own = read(getFileInfo, { ...fileInfo, common: { ...common, url: "/media/12" } }, "") as FileInfoResponse;
  expect(own.common.url).toBe("/media/12");
});

test.each<[unknown, unknown]>([
  [null, { bpm: 0, genres: [], instruments: [], moods: [], key: [] }],
  [
    { bpm: "128", key: "C major" },
    { bpm: 128, key: ["C major"] },
  ],
  [
    { bpm: -3, key: ["A minor", null, ""] },
    { bpm: 0, key: ["A minor"] },
  ],
])("tags %j", (tags, expected) => expect(readInfo({ ai_tags: tags }).ai_tags).toMatchObject(expected as object));

test("a file has the requested id, also without common members or with another id", () => {
  expect(readInfo({ common: null }).common).toMatchObject({ id: 12, name: "File 12", url: "", size: 0, status: null });
  expect(readCommon({ id: 77 }).id).toBe(12);
  expect(readCommon({ project_id: "5", account_id: null })).toMatchObject({ project_id: 5, account_id: 0 });
});

test.each([
  [
    { bitrate: 320_000, bits_per_sample: "16" },
    { bitrate: "320000", bits_per_sample: 16 },
  ],
  [
    { audio_encoding: 5, annotations: null },
    { audio_encoding: "5", annotations: "" },
  ],
  [{ annotations: { title: "Mix" } }, { annotations: '{"title":"Mix"}' }],
  [{ annotations: "not JSON" }, { annotations: "not JSON" }],
  [{ duration: null }, { duration: 2.5 }],
  [
    { duration: null, samplerate: null },
    { duration: 0, samplerate: 0 },
  ],
  [
    { samplerate: 44_100.2, bpm: null },
    { samplerate: 44_100, bpm: 0 },
  ],
])("audio %j", (changes, expected) => expect(readAudio(changes)).toMatchObject(expected));

test.each<[unknown, string, string]>([
  ["audio_info", "a.bin", "audio_file_info"],
  ["video", "a.wav", "video_file_info"],
  [undefined, "a.wav", "audio_file_info"],
  ["file", "a.mov", "video_file_info"],
  [undefined, "a.png", "image_file_info"],
  [7, "notes", "document_file_info"],
  ["folder", "Mixes", "folder_info"],
])("the kind by object %j and name %s is %s", (object, name, expected) => {
  const info = readInfo({ common: { ...common, name }, file_info: { object, duration: "3", wave: [0, 128] } }).file_info;
  expect(info).toMatchObject({ object: expected, duration: 3, wave: [0, 1] });
  expect(readInfo({ common: { ...common, name }, file_info: null }).file_info.object).toMatch(/_info$/);
});

test("a created webhook endpoint is what was requested where the response is silent", () => {
  const requested = { url: "https://receiver.example/hook", event_types: ["file.uploaded"] };
  expect(read(createWebhookEndpoint, { object: "thing", data: {} })).toMatchObject({ data: { ...requested, id: 0, enabled: true } });
  expect(read(createWebhookEndpoint, { id: "we_1", secret: "whsec_x", url: "https://other.example/" })).toMatchObject({
    data: { id: 0, secret: "whsec_x", url: "https://other.example/", event_types: ["file.uploaded"] },
  });
});
