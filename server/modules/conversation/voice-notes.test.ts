/** Tests of voice notes from browsers through the whole service: the duration matches the audio, and every browser can play them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import type { Message } from "../../../contract/records.ts";
import { AudioWriter } from "../../media/engine/audio-writer.ts";
import { openInput, declaredSeconds } from "../../media/engine/open.ts";
import { createTestFolder } from "../../media/testing/folder.ts";
import { sine } from "../../media/testing/signals.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

type NewMessage = z.infer<typeof chat.sendMessage.body>;
const TIMEOUT_MS = 60_000;
const recordingPath = (name: string) => join(import.meta.dirname, "../../testing/recordings", name);
const readRecording = (name: string) => readFileSync(recordingPath(name));

/** Returns a file as Safari's recorder writes it: AAC in fragments, each written before the number of fragments is known. */
function fragmentedMp4(seconds: number): Buffer {
  using folder = createTestFolder();
  const path = folder.resolve("note.mp4");
  const formatOptions = { movflags: "+frag_keyframe+empty_moov+default_base_moof" };
  const writer = new AudioWriter({ path, format: "mp4", codec: "aac", sampleRate: 48_000, channels: 1, bitRate: 64_000, formatOptions });
  try {
    const samples = [sine(220, 0.4, seconds, 48_000)];
    writer.write(samples, samples[0]!.length);
    writer.finish();
  } finally {
    writer.close();
  }
  return readFileSync(path);
}

/** Returns the duration in seconds that the container declares; 0 if it declares none. */
function containerSeconds(path: string): number {
  const input = openInput(path);
  try {
    return declaredSeconds(input);
  } finally {
    input.close();
  }
}

/** Name, bytes and actual duration in seconds. The first two were recorded for two seconds with Chromium 156, in the same way as a voice note. */
const VOICE_NOTES: [name: string, bytes: () => Buffer, seconds: number][] = [
  ["chromium.webm", () => readRecording("chromium.webm"), 1.98],
  ["chromium.mp4", () => readRecording("chromium.mp4"), 1.94],
  ["safari.mp4", () => fragmentedMp4(2.3), 2.3],
];

describe.each(ENGINES)("voice notes on %s", { timeout: 120_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  const send = (body: Partial<NewMessage>) =>
    fixtures.testApp.call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "", ...body } });
  const reload = async ({ id }: Message): Promise<Message> => {
    const { data } = (await fixtures.testApp.call(fixtures.guest, chat.chatHistory, { body: { project_id: fixtures.home.project, around_id: id } })).response;
    return data.find((message) => message.id === id)!;
  };
  const uploadFile = (name: string, bytes: Buffer | string) => upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name, bytes });

  test("have their real duration, whatever the container declares, and a copy that every browser plays", async () => {
    const sent: Message[] = [];
    for (const [name, bytes] of VOICE_NOTES)
      sent.push((await send({ attachment_ids: [await uploadFile(name, bytes())], is_audio_message: true })).response.data);
    expect(sent.map(({ body, is_audio_message, attachments }) => [body, is_audio_message, attachments.length])).toEqual(VOICE_NOTES.map(() => ["", true, 1]));
    expect(containerSeconds(recordingPath("chromium.webm"))).toBe(0);
    const replyMessage = (await send({ body: "Heard it", parent_message_id: sent[0]!.id })).response.data;
    expect(replyMessage.parent).toMatchObject({ is_audio_message: true, attachment_name: "chromium.webm", audio_duration: null });

    const stop = fixtures.testApp.app.startMedia();
    try {
      for (const [index, [name, , seconds]] of VOICE_NOTES.entries()) {
        let voiceNote = await reload(sent[index]!);
        for (const deadline = Date.now() + TIMEOUT_MS; voiceNote.attachments[0]!.transcoding_status !== "transcoded" && Date.now() < deadline; await pause(30))
          voiceNote = await reload(sent[index]!);
        const [attachment] = voiceNote.attachments;
        expect(attachment, name).toMatchObject({ name, kind: "audio", transcoding_status: "transcoded", failure: null });
        expect(Math.abs(attachment!.audio!.duration - seconds), `${name}: ${attachment!.audio!.duration}`).toBeLessThan(0.05);
        expect(Math.max(...attachment!.audio!.wave), name).toBeGreaterThan(0.3);
        const { compressed_key, compressed_type } = await currentVersion(fixtures.testApp, attachment!.id);
        expect([compressed_type, attachment!.compressed_file_url], name).toEqual(["audio/mp4", expect.stringMatching(/\/compressed$/)]);
        // The copy declares its duration, so that a player can seek at once.
        await openStorage(fixtures.testApp).withLocalFile(compressed_key!, async (path) =>
          expect(Math.abs(containerSeconds(path) - seconds), name).toBeLessThan(0.06),
        );
      }
    } finally {
      await stop();
    }
    const [voiceNote] = sent;
    const { duration } = (await reload(voiceNote!)).attachments[0]!.audio!;
    expect((await reload(replyMessage)).parent).toMatchObject({ is_audio_message: true, excerpt: "", audio_duration: duration });
    await fixtures.testApp.call(fixtures.member, messages.deleteMessage, { params: { project_id: fixtures.home.project, message_id: voiceNote!.id } });
    expect((await reload(replyMessage)).parent).toMatchObject({ deleted: true, attachment_name: null, audio_duration: null });
  });

  test("reject files known not to be audio, and accept unprocessed ones", async () => {
    const [text, image, unprocessed] = [await uploadFile("notes.txt", "x"), await uploadFile("cover.png", "x"), await uploadFile("fresh.webm", "x")];
    const setVersionState = (id: number, kind: "document" | "image", transcoding_status: "transcoded" | "transcoding") =>
      fixtures.testApp.database.write((tx) => tx.updateTable("file_versions").set({ kind, transcoding_status }).where("file_id", "=", id).execute());
    await setVersionState(text, "document", "transcoded");
    await setVersionState(image, "image", "transcoding");
    for (const id of [text, image]) {
      const rejection = await send({ attachment_ids: [id], is_audio_message: true });
      expect([rejection.status, rejection.problem.errors?.[0]?.path]).toEqual([400, "is_audio_message"]);
      expect((await send({ attachment_ids: [id] })).status).toBe(200);
    }
    for (const attachment_ids of [[], [unprocessed, fixtures.home.file]]) expect((await send({ attachment_ids, is_audio_message: true })).status).toBe(400);
    expect((await send({ attachment_ids: [unprocessed], is_audio_message: true, body: "The hook" })).response.data).toMatchObject({
      is_audio_message: true,
      body: "The hook",
    });
    expect((await send({ attachment_ids: [fixtures.home.file], is_audio_message: true })).response.data.attachments[0]).toMatchObject({ kind: "audio" });
  });
});
