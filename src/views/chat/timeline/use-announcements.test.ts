import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildAttachment } from "../../../queries/files/attachment.fixture.ts";
import { buildMessage, sharedComment } from "../../../queries/messages/message.fixture.ts";
import { batchedAnnouncements, formatAnnouncement } from "./use-announcements.ts";

const nameOf = (id: number) => (id === 2 ? "Ben" : "Ana");
const announce = (messages: Parameters<typeof formatAnnouncement>[0]) => formatAnnouncement(messages, 3, 1, nameOf);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("one new message is announced with its author", () => {
  expect(announce([buildMessage(3), buildMessage(4, { account_id: 2, body: "Bass is hot" })])).toBe("Ben: Bass is hot");
});

test("a message of only files is announced by their names", () => {
  const attachments = [buildAttachment(7, { name: "mix.wav" }), buildAttachment(8, { name: "cover.png" })];
  expect(announce([buildMessage(4, { account_id: 2, body: "", attachments })])).toBe("Ben: mix.wav, cover.png");
});

test("a shared comment is announced by its text", () => {
  expect(announce([buildMessage(4, { account_id: 2, body: "mix.wav at 0:03", comment: sharedComment })])).toBe("Ben: Bass is hot");
});

test("a voice note is announced by its length, never by its file", () => {
  const announceVoiceNote = (changes = {}) =>
    announce([buildMessage(4, { account_id: 2, body: "", is_audio_message: true, attachments: [buildAttachment(7, changes)] })]);
  expect(announceVoiceNote()).toBe("Ben: Voice note, 2 seconds");
  expect(announceVoiceNote({ kind: "document", transcoding_status: "waiting", audio: undefined })).toBe("Ben: Voice note");
});

test("several messages are announced by their count", () => {
  expect(announce([4, 5, 6].map((id) => buildMessage(id, { account_id: 2 })))).toBe("3 new messages");
});

test("own, deleted and known messages are not announced", () => {
  expect(announce([buildMessage(2, { account_id: 2 }), buildMessage(4), buildMessage(5, { account_id: 2, deleted: true })])).toBeNull();
});

test("a long message is shortened, not within a character", () => {
  const text = announce([buildMessage(4, { account_id: 2, body: `${"x".repeat(199)}🎧🎧` })])!;
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThan(210);
});

test("messages within two seconds are announced together, from the last announced one", () => {
  const announceSince = vi.fn();
  const { update } = batchedAnnouncements(announceSince);
  update(10);
  vi.advanceTimersByTime(5_000);
  expect(announceSince).not.toHaveBeenCalled();
  for (let id = 11; id <= 20; id += 1) {
    update(id);
    vi.advanceTimersByTime(100);
  }
  expect(announceSince).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(announceSince.mock.calls).toEqual([[10]]);
  update(20);
  update(15);
  vi.advanceTimersByTime(5_000);
  expect(announceSince).toHaveBeenCalledTimes(1);
  update(21);
  vi.advanceTimersByTime(2_000);
  expect(announceSince.mock.calls).toEqual([[10], [20]]);
});

test("nothing is announced after the chat is closed", () => {
  const announceSince = vi.fn();
  const { update, stop } = batchedAnnouncements(announceSince);
  update(1);
  update(2);
  stop();
  vi.advanceTimersByTime(5_000);
  expect(announceSince).not.toHaveBeenCalled();
});
