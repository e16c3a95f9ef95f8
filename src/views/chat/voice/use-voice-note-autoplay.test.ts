import { expect, test } from "vitest";
import type { Message } from "../../../../contract/records.ts";
import { buildAttachment } from "../../../queries/files/attachment.fixture.ts";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import { findNextVoiceNote } from "./use-voice-note-autoplay.ts";

const ME = 1;
const voiceNote = (id: number, account_id: number, changes: Partial<Message> = {}) =>
  buildMessage(id, { account_id, body: "", is_audio_message: true, attachments: [buildAttachment(id * 10)], ...changes });
const nextId = (messages: Message[], endedFileId: number) => findNextVoiceNote(messages, endedFileId, ME)?.message.id ?? null;

test("the next voice note plays, forward only, until there is none", () => {
  const voiceNotes = [voiceNote(1, 2), voiceNote(2, 3), voiceNote(3, 2)];
  expect([nextId(voiceNotes, 10), nextId(voiceNotes, 20), nextId(voiceNotes, 30)]).toEqual([2, 3, null]);
  expect(nextId(voiceNotes, 99)).toBeNull();
  expect(nextId([], 10)).toBeNull();
});

test("another message in between ends autoplay, a deleted one does not", () => {
  expect(nextId([voiceNote(1, 2), buildMessage(2, { account_id: 3 }), voiceNote(3, 2)], 10)).toBeNull();
  expect(nextId([voiceNote(1, 2), buildMessage(2, { account_id: 3, body: "", attachments: [buildAttachment(20)] }), voiceNote(3, 2)], 10)).toBeNull();
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { deleted: true, attachments: [] }), voiceNote(3, 2)], 10)).toBe(3);
});

test("own voice notes are skipped, and lead to replies", () => {
  expect(nextId([voiceNote(1, 2), voiceNote(2, ME), voiceNote(3, 2)], 10)).toBe(3);
  expect(nextId([voiceNote(1, ME), voiceNote(2, ME), voiceNote(3, 2)], 10)).toBe(3);
  expect(nextId([voiceNote(1, 2), voiceNote(2, ME)], 10)).toBeNull();
});

test("a voice note that failed to process is skipped", () => {
  expect(
    nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { kind: "document", transcoding_status: "failed" })] }), voiceNote(3, 2)], 10),
  ).toBe(3);
});

test("a voice note that is not audio, or whose file was deleted, does not play", () => {
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { kind: "video" })] }), voiceNote(3, 2)], 10)).toBeNull();
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { deleted: true })] })], 10)).toBeNull();
  // An unprocessed voice note plays from the uploaded file.
  expect(nextId([voiceNote(1, 2), voiceNote(2, 3, { attachments: [buildAttachment(20, { kind: "document", transcoding_status: "waiting" })] })], 10)).toBe(2);
});
