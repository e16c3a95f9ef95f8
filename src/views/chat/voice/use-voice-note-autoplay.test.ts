import { expect, test } from "vitest";
import type { Message } from "../../../../contract/records.ts";
import { buildAttachment } from "../../../queries/files/attachment.fixture.ts";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import { findNextVoiceNote } from "./use-voice-note-autoplay.ts";

const ME = 1;
const voiceNote = (id: number, account_id: number, changes: Partial<Message> = {}) =>
  buildMessage(id, { account_id, body: "", is_audio_message: true, attachments: [buildAttachment(id * 10)], ...changes });
const nextId = (messages: Message[], endedFileId: number) => findNextVoiceNote(messages, endedFileId, ME)?.message.id ?? null;

test("the one that follows plays, forward only, until the talk ends", () => {
  const voiceNotes = [voiceNote(1, 2), voiceNote(2, 3), voiceNote(3, 2)];
  expect([nextId(voiceNotes, 10), nextId(voiceNotes, 20), nextId(voiceNotes, 30)]).toEqual([2, 3, null]);
  expect(nextId(voiceNotes, 99)).toBeNull();
  expect(nextId([], 10)).toBeNull();
});

test("words between end it, what was deleted does not", () => {
  expect(nextId([voiceNote(1, 2), buildMessage(2, { account_id: 3 }), voiceNote(3, 2)], 10)).toBeNull();
  expect(nextId([voiceNote(1, 2), buildMessage(2, { account_id: 3, body: "", attachments: [buildAttachment(20)] }), voiceNote(3, 2)], 10)).toBeNull();
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { deleted: true, attachments: [] }), voiceNote(3, 2)], 10)).toBe(3);
});

test("one's own are passed over, and lead on to answers", () => {
  expect(nextId([voiceNote(1, 2), voiceNote(2, ME), voiceNote(3, 2)], 10)).toBe(3);
  expect(nextId([voiceNote(1, ME), voiceNote(2, ME), voiceNote(3, 2)], 10)).toBe(3);
  expect(nextId([voiceNote(1, 2), voiceNote(2, ME)], 10)).toBeNull();
});

test("what could not be read is passed over", () => {
  expect(
    nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { kind: "document", transcoding_status: "failed" })] }), voiceNote(3, 2)], 10),
  ).toBe(3);
});

test("what turned out to be no sound, or whose file was deleted, plays not", () => {
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { kind: "video" })] }), voiceNote(3, 2)], 10)).toBeNull();
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { deleted: true })] })], 10)).toBeNull();
  // An unprocessed voice note plays from the uploaded file.
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { kind: "document", transcoding_status: "waiting" })] })], 10)).toBe(2);
});
