/** Voice notes as browsers record them, through the whole service: their length is what they sound, and every browser can play them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../../contract/records.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { AudioWriter } from "../../media/engine/audio-writer.ts";
import { openInput, promisedSeconds } from "../../media/engine/open.ts";
import { testFolder } from "../../media/testing/folder.ts";
import { sine } from "../../media/testing/signals.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, storageOf, upload } from "../../testing/files.ts";

type NewMessage = z.infer<typeof chat.sendMessage.body>;
const PATIENCE_MS = 60_000;
const pathOf = (name: string) => join(import.meta.dirname, "../../testing/recordings", name);
const recorded = (name: string) => readFileSync(pathOf(name));

/** As Safari's recorder writes: AAC in fragments that come before anybody knows how many follow. */
function inFragments(seconds: number): Buffer {
  using folder = testFolder();
  const path = folder.in("note.mp4");
  const formatOptions = { movflags: "+frag_keyframe+empty_moov+default_base_moof" };
  const writer = new AudioWriter({ path, format: "mp4", codec: "aac", sampleRate: 48_000, channels: 1, bitRate: 64_000, formatOptions });
  try {
    const sound = [sine(220, 0.4, seconds, 48_000)];
    writer.write(sound, sound[0]!.length);
    writer.finish();
  } finally {
    writer.close();
  }
  return readFileSync(path);
}

/** Seconds that the container itself promises; 0: it does not say. */
function promisedIn(path: string): number {
  const input = openInput(path);
  try {
    return promisedSeconds(input);
  } finally {
    input.close();
  }
}

/** Names, bytes and how long they sound. The first two were recorded for two seconds with Chromium 156, the way a voice note is. */
const NOTES: [name: string, bytes: () => Buffer, seconds: number][] = [
  ["chromium.webm", () => recorded("chromium.webm"), 1.98],
  ["chromium.mp4", () => recorded("chromium.mp4"), 1.94],
  ["safari.mp4", () => inFragments(2.3), 2.3],
];

describe.each(ENGINES)("voice notes on %s", { timeout: 120_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());
  const send = (body: Partial<NewMessage>) => cast.world.call(cast.member, chat.sendMessage, { body: { project_id: cast.home.project, body: "", ...body } });
  const again = async ({ id }: Message): Promise<Message> => {
    const { data } = (await cast.world.call(cast.guest, chat.chatHistory, { body: { project_id: cast.home.project, around_id: id } })).answer;
    return data.find((one) => one.id === id)!;
  };
  const bring = (name: string, bytes: Buffer | string) => upload(cast.world, cast.member, { parent: cast.home.folder, name, bytes });

  test("tell how long they sound, whatever their container says, and have a copy that every browser plays", async () => {
    const sent: Message[] = [];
    for (const [name, bytes] of NOTES) sent.push((await send({ attachment_ids: [await bring(name, bytes())], is_audio_message: true })).answer.data);
    expect(sent.map(({ body, is_audio_message, attachments }) => [body, is_audio_message, attachments.length])).toEqual(NOTES.map(() => ["", true, 1]));
    expect(promisedIn(pathOf("chromium.webm"))).toBe(0);
    const answer = (await send({ body: "Heard it", parent_message_id: sent[0]!.id })).answer.data;
    expect(answer.parent).toMatchObject({ is_audio_message: true, attachment_name: "chromium.webm", audio_duration: null });

    const stop = cast.world.app.startMedia();
    try {
      for (const [index, [name, , seconds]] of NOTES.entries()) {
        let note = await again(sent[index]!);
        for (const end = Date.now() + PATIENCE_MS; note.attachments[0]!.transcoding_status !== "transcoded" && Date.now() < end; await pause(30))
          note = await again(sent[index]!);
        const [attachment] = note.attachments;
        expect(attachment, name).toMatchObject({ name, kind: "audio", transcoding_status: "transcoded", failure: null });
        expect(Math.abs(attachment!.audio!.duration - seconds), `${name}: ${attachment!.audio!.duration}`).toBeLessThan(0.05);
        expect(Math.max(...attachment!.audio!.wave), name).toBeGreaterThan(0.3);
        const { compressed_key, compressed_type } = await currentVersion(cast.world, attachment!.id);
        expect([compressed_type, attachment!.compressed_file_url], name).toEqual(["audio/mp4", expect.stringMatching(/\/compressed$/)]);
        // It tells its length: a player can jump in it at once.
        await storageOf(cast.world).withLocalFile(compressed_key!, async (path) => expect(Math.abs(promisedIn(path) - seconds), name).toBeLessThan(0.06));
      }
    } finally {
      await stop();
    }
    const [note] = sent;
    const { duration } = (await again(note!)).attachments[0]!.audio!;
    expect((await again(answer)).parent).toMatchObject({ is_audio_message: true, excerpt: "", audio_duration: duration });
    await cast.world.call(cast.member, messages.deleteMessage, { params: { project_id: cast.home.project, message_id: note!.id } });
    expect((await again(answer)).parent).toMatchObject({ deleted: true, attachment_name: null, audio_duration: null });
  });

  test("carry sound: what is known to be something else is refused, what was not looked into yet is taken", async () => {
    const [text, image, fresh] = [await bring("notes.txt", "x"), await bring("cover.png", "x"), await bring("fresh.webm", "x")];
    const stand = (id: number, kind: "document" | "image", transcoding_status: "transcoded" | "transcoding") =>
      cast.world.database.write((tx) => tx.updateTable("file_versions").set({ kind, transcoding_status }).where("file_id", "=", id).execute());
    await stand(text, "document", "transcoded");
    await stand(image, "image", "transcoding");
    for (const id of [text, image]) {
      const refused = await send({ attachment_ids: [id], is_audio_message: true });
      expect([refused.status, refused.problem.errors?.[0]?.path]).toEqual([400, "is_audio_message"]);
      expect((await send({ attachment_ids: [id] })).status).toBe(200);
    }
    for (const attachment_ids of [[], [fresh, cast.home.file]]) expect((await send({ attachment_ids, is_audio_message: true })).status).toBe(400);
    expect((await send({ attachment_ids: [fresh], is_audio_message: true, body: "The hook" })).answer.data).toMatchObject({
      is_audio_message: true,
      body: "The hook",
    });
    expect((await send({ attachment_ids: [cast.home.file], is_audio_message: true })).answer.data.attachments[0]).toMatchObject({ kind: "audio" });
  });
});
