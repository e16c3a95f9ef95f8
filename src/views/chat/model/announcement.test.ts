import { expect, test } from "vitest";
import { attachmentOf } from "../../../queries/files/attachment.fixture.ts";
import { messageOf, shownComment } from "../../../queries/messages/message.fixture.ts";
import { announcementOf } from "./announcement.ts";

const nameOf = (id: number) => (id === 2 ? "Ben" : "Ana");
const announce = (messages: Parameters<typeof announcementOf>[0]) => announcementOf(messages, 3, 1, nameOf);

test("one new message is read with its author", () => {
  expect(announce([messageOf(3), messageOf(4, { account_id: 2, body: "Bass is hot" })])).toBe("Ben: Bass is hot");
});

test("a message of files alone is read by their names", () => {
  const attachments = [attachmentOf(7, { name: "mix.wav" }), attachmentOf(8, { name: "cover.png" })];
  expect(announce([messageOf(4, { account_id: 2, body: "", attachments })])).toBe("Ben: mix.wav, cover.png");
});

test("a comment that is shown is read by what it says", () => {
  expect(announce([messageOf(4, { account_id: 2, body: "mix.wav at 0:03", comment: shownComment })])).toBe("Ben: Bass is hot");
});

test("a voice note is read by how long it is, never by its file", () => {
  const note = (changes = {}) => announce([messageOf(4, { account_id: 2, body: "", is_audio_message: true, attachments: [attachmentOf(7, changes)] })]);
  expect(note()).toBe("Ben: Voice note, 2 seconds");
  expect(note({ kind: "document", transcoding_status: "waiting", audio: undefined })).toBe("Ben: Voice note");
});

test("several are counted", () => {
  expect(announce([4, 5, 6].map((id) => messageOf(id, { account_id: 2 })))).toBe("3 new messages");
});

test("my own, deleted and known ones are nothing new", () => {
  expect(announce([messageOf(2, { account_id: 2 }), messageOf(4), messageOf(5, { account_id: 2, deleted: true })])).toBeNull();
});

test("a long one is cut, not in the middle of a character", () => {
  const text = announce([messageOf(4, { account_id: 2, body: `${"x".repeat(199)}🎧🎧` })])!;
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThan(210);
});
