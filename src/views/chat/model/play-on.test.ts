import { expect, test } from "vitest";
import type { Message } from "../../../../contract/records.ts";
import { attachmentOf } from "../../../queries/files/attachment.fixture.ts";
import { messageOf } from "../../../queries/messages/message.fixture.ts";
import { nextVoiceNote } from "./play-on.ts";

const ME = 1;
const note = (id: number, account_id: number, changes: Partial<Message> = {}) =>
  messageOf(id, { account_id, body: "", is_audio_message: true, attachments: [attachmentOf(id * 10)], ...changes });
const next = (messages: Message[], endedFileId: number) => nextVoiceNote(messages, endedFileId, ME)?.message.id ?? null;

test("the one that follows plays, forward only, until the talk ends", () => {
  const talk = [note(1, 2), note(2, 3), note(3, 2)];
  expect([next(talk, 10), next(talk, 20), next(talk, 30)]).toEqual([2, 3, null]);
  expect(next(talk, 99)).toBeNull();
  expect(next([], 10)).toBeNull();
});

test("words between end it, what was deleted does not", () => {
  expect(next([note(1, 2), messageOf(2, { account_id: 3 }), note(3, 2)], 10)).toBeNull();
  expect(next([note(1, 2), messageOf(2, { account_id: 3, body: "", attachments: [attachmentOf(20)] }), note(3, 2)], 10)).toBeNull();
  expect(next([note(1, 2), note(2, 3, { deleted: true, attachments: [] }), note(3, 2)], 10)).toBe(3);
});

test("one's own are passed over, and lead on to answers", () => {
  expect(next([note(1, 2), note(2, ME), note(3, 2)], 10)).toBe(3);
  expect(next([note(1, ME), note(2, ME), note(3, 2)], 10)).toBe(3);
  expect(next([note(1, 2), note(2, ME)], 10)).toBeNull();
});

test("what could not be read is passed over", () => {
  expect(next([note(1, 2), note(2, 3, { attachments: [attachmentOf(20, { kind: "document", transcoding_status: "failed" })] }), note(3, 2)], 10)).toBe(3);
});

test("what turned out to be no sound, or whose file was deleted, plays not", () => {
  expect(next([note(1, 2), note(2, 3, { attachments: [attachmentOf(20, { kind: "video" })] }), note(3, 2)], 10)).toBeNull();
  expect(next([note(1, 2), note(2, 3, { attachments: [attachmentOf(20, { deleted: true })] })], 10)).toBeNull();
  // Not looked into yet: it plays from what was sent.
  expect(next([note(1, 2), note(2, 3, { attachments: [attachmentOf(20, { kind: "document", transcoding_status: "waiting" })] })], 10)).toBe(2);
});
