/** Every format and layout through the whole service: what went in is what get_info and an attachment say of it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Attachment, FileInfoAnswer } from "../../../contract/records.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import { analyse } from "../../media/analyse.ts";
import { encodeFile, RECIPES, type RecipeName } from "../../media/testing/formats.ts";
import { analyseInProcess, everyNth } from "../../media/testing/in-process.ts";
import { noise } from "../../media/testing/signals.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { upload } from "../../testing/files.ts";
import { song } from "../../testing/sounds.ts";

const PATIENCE_MS = 540_000;
/** Files that one message carries. */
const MOST_ATTACHED = 20;
/** An encoder's padding where the file does not say how much it is. */
const PADDING = 3 * 1_152;
const SONG = { seconds: 7, bpm: 118, key: "A minor" };
const TAGS = { title: "Käse \u{1f9c0}", artist: 'Anna "A" Berg' };

interface Written {
  recipe: RecipeName;
  rate: number;
  sound: readonly Float32Array[];
  isSong: boolean;
  bytes: number;
  id: number;
}

/** As the documents name them, not as the encoders are called. */
const ENCODINGS: Record<string, string> = { libmp3lame: "mp3", libvorbis: "vorbis", libopus: "opus" };
const NAMES = Object.keys(RECIPES) as RecipeName[];
const rateOf = (recipe: RecipeName): number => RECIPES[recipe].rates?.[0] ?? 44_100;

const burst = (rate: number, channels: number, samples: number): Float32Array[] =>
  Array.from({ length: channels }, (_, at) => noise(0.2 + 0.05 * at, samples / rate, rate, at + 1).slice(0, samples));

type Plan = [what: string, recipe: RecipeName, rate: number, sound: () => readonly Float32Array[]];

/** A song of an odd length. */
const songAt = (rate: number): Float32Array[] => song(SONG.seconds, { bpm: SONG.bpm, rate }).map((channel) => channel.subarray(0, channel.length - 391));

/** A song costs a second; of formats that differ only in width one gets it. */
const WITHOUT_SONG = new Set<RecipeName>(["wav8", "aiff24", "flac16", "alac24", "mp3bare", "adts", "mka"]);
const stereo = NAMES.map((name): Plan =>
  WITHOUT_SONG.has(name)
    ? ["stereo of an odd length", name, rateOf(name), () => burst(rateOf(name), 2, 31_415)]
    : ["a song in stereo", name, rateOf(name), () => songAt(rateOf(name))],
);
/** Layouts, rates and lengths of every format are asked of the media room itself (formats.test.ts); here one of each goes the whole way. */
const others: Plan[] = [
  ...(["mp3cbr", "webm"] as const).map((name): Plan => ["mono of an odd length", name, rateOf(name), () => burst(rateOf(name), 1, 32_337)]),
  ...(["flac24", "m4a", "opus"] as const).map((name): Plan => ["5.1 of an odd length", name, rateOf(name), () => burst(rateOf(name), 6, 30_001)]),
  ...(
    [
      ["mp3cbr", 8_000],
      ["wav32f", 192_000],
      ["alac24", 88_200],
    ] as const
  ).map(([name, rate]): Plan => ["another rate", name, rate, () => burst(rate, 2, Math.round(rate * 0.5) + 7)]),
  ...(["wav24", "opus"] as const).map((name): Plan => ["a tenth of a second", name, rateOf(name), () => burst(rateOf(name), 1, rateOf(name) / 10)]),
];
const PLANS = [...stereo, ...others].map((plan) => ({ title: `${plan[1]}: ${plan[0]}, ${plan[2]} Hz`, plan }));

/** Highest magnitude over all channels in each of `count` equal slices. */
const outline = (sound: readonly Float32Array[], count: number): number[] =>
  Array.from({ length: count }, (_, slice) => {
    const [from, to] = [slice, slice + 1].map((at) => Math.floor((at * sound[0]!.length) / count)) as [number, number];
    let most = 0;
    for (const channel of sound) for (let at = from; at < to; at += 1) most = Math.max(most, Math.abs(channel[at]!));
    return Math.min(1, most);
  });

let cast: Cast;
const written = new Map<string, Written>();
const infos = new Map<string, FileInfoAnswer>();
const attachments = new Map<number, Attachment>();

async function write({ title, plan: [what, recipe, rate, make] }: (typeof PLANS)[number], path: string): Promise<void> {
  const sound = make();
  encodeFile(path, recipe, sound, rate, TAGS);
  const bytes = readFileSync(path);
  // Nothing may be taken from the name.
  const id = await upload(cast.world, cast.member, { parent: cast.home.folder, name: `${written.size}.bin`, bytes });
  written.set(title, { recipe, rate, sound, isSong: what === "a song in stereo", bytes: bytes.length, id });
}

beforeAll(async () => {
  // A process for each file takes most of the time; one in eight is enough to see that it changes nothing.
  cast = await startCast("sqlite", { analyse: everyNth(8, analyse, analyseInProcess()) });
  const { world, member, home } = cast;
  const folder = mkdtempSync(join(tmpdir(), "talkback-formats-"));
  for (const one of PLANS) await write(one, join(folder, "sound"));
  rmSync(folder, { recursive: true });
  const stop = world.app.startMedia();
  const underWay = () => world.database.read.selectFrom("jobs").select("id").where("state", "in", ["waiting", "running"]).execute();
  for (const end = Date.now() + PATIENCE_MS; (await underWay()).length > 0; await pause(50)) if (Date.now() > end) throw new Error("Still under way");
  await stop();
  for (const [title, { id }] of written) infos.set(title, (await world.call(member, files.getFileInfo, { body: { file_id: id } })).answer);
  const ids = [...written.values()].map(({ id }) => id);
  for (let at = 0; at < ids.length; at += MOST_ATTACHED) {
    const attachment_ids = ids.slice(at, at + MOST_ATTACHED);
    const { data } = (await world.call(member, chat.sendMessage, { body: { project_id: home.project, body: "", attachment_ids } })).answer;
    for (const one of data.attachments) attachments.set(one.id, one);
  }
}, PATIENCE_MS + 60_000);
afterAll(() => cast.world.close());

const TYPES = {
  object: "string",
  annotations: "string",
  audio_encoding: "string",
  bitrate: "string",
  bits_per_sample: "number",
  bpm: "number",
  duration: "number",
  number_of_chanels: "number",
  number_of_samples: "number",
  samplerate: "number",
};

describe.each(PLANS)("$title", ({ title }) => {
  test("get_info: every documented member, each true", () => {
    const { recipe, rate, sound, isSong, bytes, id } = written.get(title)!;
    const { codec, lossless, exactCount, bits } = RECIPES[recipe];
    const { ai_tags, common, file_info } = infos.get(title)!;
    const info = file_info as Record<string, unknown> & { wave: number[]; number_of_samples: number; duration: number; bitrate: string; annotations: string };
    const samples = sound[0]!.length;

    expect(common).toMatchObject({ id, size: bytes, kind: "audio", transcoding_status: "transcoded", failure: null, status: null });
    expect(Object.keys(info).toSorted()).toEqual([...Object.keys(TYPES), "corrected", "key", "loudness", "wave"].toSorted());
    for (const [name, type] of Object.entries(TYPES)) expect(typeof info[name], name).toBe(type);
    expect(info).toMatchObject({
      object: "audio_file_info",
      audio_encoding: ENCODINGS[codec] ?? codec,
      bits_per_sample: bits,
      number_of_chanels: sound.length,
      samplerate: rate,
      corrected: { bpm: false, key: false },
    });
    if (exactCount) expect(info.number_of_samples).toBe(samples);
    else expect(Math.abs(info.number_of_samples - samples)).toBeLessThan(PADDING);
    expect(info.duration).toBeCloseTo(info.number_of_samples / rate, 9);

    expect(info.bitrate).toMatch(/^[1-9]\d*$/);
    if (codec.startsWith("pcm_")) expect(Number(info.bitrate)).toBe(rate * bits * sound.length);
    else if (recipe === "mp3cbr" && rate === 44_100) expect(info.bitrate).toBe("192000");
    // What is not sound: tags, tables and frames around it, which weigh more in a short file.
    else if (isSong) expect(Math.abs(Number(info.bitrate) / ((bytes * 8) / info.duration) - 1)).toBeLessThan(0.06);
    else expect(Number(info.bitrate)).toBeLessThan((bytes * 8 * 1.05) / info.duration);

    const tags = JSON.parse(info.annotations) as Record<string, string>;
    if (recipe === "adts") expect(tags).toEqual({});
    // Its text chunks know no artist.
    else expect(tags).toMatchObject(RECIPES[recipe].extension === "aiff" ? { title: TAGS.title } : TAGS);

    expect(info.wave.length).toBeGreaterThan(50);
    expect(info.wave.every((value) => value >= 0 && value <= 1)).toBe(true);
    if (exactCount && isSong) {
      const off = outline(sound, info.wave.length).reduce((sum, value, at) => sum + Math.abs(value - info.wave[at]!), 0) / info.wave.length;
      expect(off).toBeLessThan(lossless ? 0.02 : 0.05);
    } else if (lossless) expect(Math.max(...info.wave)).toBeCloseTo(Math.max(...outline(sound, 1)), 1);

    if (isSong) {
      expect(Math.abs(ai_tags.bpm - SONG.bpm)).toBeLessThan(2);
      expect(ai_tags.key[0]).toBe(SONG.key);
    } else expect([ai_tags.bpm, ai_tags.key]).toEqual([0, []]);
    expect([info["bpm"], info["key"]]).toEqual([ai_tags.bpm, ai_tags.key[0] ?? null]);
    // No model is installed: nothing is invented.
    expect(ai_tags).toMatchObject({ genres: [], moods: [], instruments: [], model: { state: "no-model" } });
  });

  test("attachment: plays everywhere, and shows the same", async () => {
    const { recipe, isSong, id } = written.get(title)!;
    const { file_info, ai_tags, common } = infos.get(title)!;
    const attachment = attachments.get(id)!;
    expect(attachment).toMatchObject({
      name: common.name,
      size: common.size,
      url: common.url,
      compressed_file_url: common.compressed_file_url,
      transcoding_status: "transcoded",
      audio: { duration: (file_info as { duration: number }).duration, bpm: ai_tags.bpm, key: ai_tags.key[0] ?? null, status: null },
    });
    expect(attachment.audio!.wave.length).toBeGreaterThan(20);
    const { lossless, extension } = RECIPES[recipe];
    // No index or duration to jump by, or a container that not every browser plays.
    const needsCopy = lossless || extension === "webm" || extension === "aac";
    expect(attachment.compressed_file_url === null).toBe(!needsCopy);
    if (!needsCopy) return;
    const copy = await cast.world.send(cast.guest, { method: "GET", url: new URL(attachment.compressed_file_url!).pathname });
    expect([copy.status, String(copy.headers["content-type"])]).toEqual([200, "audio/mp4"]);
    if (isSong && lossless) expect(Number(copy.headers["content-length"]) * 8).toBeLessThan(SONG.seconds * 225_000);
  });
});
