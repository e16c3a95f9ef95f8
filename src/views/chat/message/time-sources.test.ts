import { expect, test } from "vitest";
import type { Message } from "../../../../contract/records.ts";
import { buildAttachment } from "../../../queries/files/attachment.fixture.ts";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import { findTimeSources } from "./time-sources.ts";

const sound = (id: number, changes: Partial<Message> = {}) => buildMessage(id, { attachments: [buildAttachment(id * 10)], ...changes });
const timeAt = (id: number, changes: Partial<Message> = {}) => buildMessage(id, { body: "at 0:01", ...changes });
const replyTo = (id: number, parent: number, changes: Partial<Message> = {}) => timeAt(id, { parent_message_id: parent, ...changes });

function find(messages: Message[], parents: [number, Message | null][] = [], above: Message | null = null) {
  const { sources, ...rest } = findTimeSources(messages, new Map(parents), above);
  return { ...rest, sources: Object.fromEntries([...sources].map(([id, source]) => [id, source.id])) };
}

test("a time refers to its own audio, else to that of the message it replies to, else to the last above it", () => {
  const messages = [sound(1), timeAt(2), sound(3), sound(4, { body: "from 0:01 on" }), replyTo(5, 1), replyTo(6, 2), timeAt(7), buildMessage(8)];
  expect(find(messages)).toEqual({ sources: { 2: 1, 4: 4, 5: 1, 6: 4, 7: 4 }, missingIds: [], firstWithout: null });
});

test("voice notes, pictures and deleted audio are not referred to from below; a reply to a voice note refers to it", () => {
  const voice = sound(2, { is_audio_message: true });
  const deleted = buildMessage(4, { attachments: [buildAttachment(40, { deleted: true })] });
  const picture = buildMessage(5, { attachments: [buildAttachment(50, { kind: "image", audio: undefined })] });
  const messages = [sound(1), voice, sound(3, { deleted: true }), deleted, picture, timeAt(6), replyTo(7, 2), replyTo(8, 5)];
  expect(find(messages).sources).toEqual({ 6: 1, 7: 2, 8: 1 });
});

test("audio that is still processing keeps its times from referring to another file", () => {
  const processing = buildMessage(2, { body: "at 0:01", attachments: [buildAttachment(20, { audio: undefined, transcoding_status: "waiting" })] });
  expect(find([sound(1), processing, timeAt(3)]).sources).toEqual({ 2: 2, 3: 2 });
});

test("what is not loaded is named, and a time has no source until it has arrived, so that it never changes", () => {
  const messages = [timeAt(10), timeAt(11), replyTo(12, 3), sound(13), replyTo(14, 3)];
  const unknown = find(messages);
  expect({ ...unknown, firstWithout: unknown.firstWithout?.id }).toEqual({ sources: {}, missingIds: [3], firstWithout: 10 });
  expect(find(messages, [[3, sound(3)]], sound(5)).sources).toEqual({ 10: 5, 11: 5, 12: 3, 14: 3 });
  expect(find(messages, [[3, null]], sound(5)).sources).toEqual({ 10: 5, 11: 5, 12: 5, 14: 13 });
  // The same once the older messages have loaded.
  expect(find([sound(3), sound(5), timeAt(6), ...messages]).sources).toEqual({ 6: 5, 10: 5, 11: 5, 12: 3, 14: 3 });
});
