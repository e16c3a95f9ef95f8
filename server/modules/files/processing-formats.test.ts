/** Tests of every format and layout through the whole service: get_info and attachments describe the uploaded audio correctly. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import type { Attachment, FileInfoResponse } from "../../../contract/records.ts";
import { analyze } from "../../media/analyze.ts";
import { encodeFile, RECIPES, type RecipeName } from "../../media/testing/formats.ts";
import { analyzeInProcess, everyNth } from "../../media/testing/in-process.ts";
import { noise } from "../../media/testing/signals.ts";
import { testSong } from "../../testing/audio.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const TIMEOUT_MS = 540_000;
/** Maximum files per message. */
const MAX_ATTACHMENTS = 20;
/** Maximum encoder padding, in samples, of files that do not declare it. */
const PADDING = 3 * 1_152;
const SONG = { seconds: 7, bpm: 118, key: "A minor" };
const TAGS = { title: "Käse \u{1f9c0}", artist: 'Anna "A" Berg' };

interface UploadedCase {
  recipe: RecipeName;
  rate: number;
  sound: readonly Float32Array[];
  isSong: boolean;
  bytes: number;
  id: number;
}

/** Encodings as the documentation names them, which differ from the encoder names. */
const ENCODINGS: Record<string, string> = { libmp3lame: "mp3", libvorbis: "vorbis", libopus: "opus" };
const NAMES = Object.keys(RECIPES) as RecipeName[];
const rateOf = (recipe: RecipeName): number => RECIPES[recipe].rates?.[0] ?? 44_100;

const noiseBurst = (rate: number, channels: number, samples: number): Float32Array[] =>
  Array.from({ length: channels }, (_, index) => noise(0.2 + 0.05 * index, samples / rate, rate, index + 1).slice(0, samples));

type Plan = [description: string, recipe: RecipeName, rate: number, sound: () => readonly Float32Array[]];

/** Returns a song with an odd number of samples. */
const songAt = (rate: number): Float32Array[] => testSong(SONG.seconds, { bpm: SONG.bpm, rate }).map((channel) => channel.subarray(0, channel.length - 391));

/** A song takes a second to process, so of formats that differ only in width, one gets a song and these get noise. */
const WITHOUT_SONG = new Set<RecipeName>(["wav8", "aiff24", "flac16", "alac24", "mp3bare", "adts", "mka"]);
const stereoPlans = NAMES.map((name): Plan =>
  WITHOUT_SONG.has(name)
    ? ["stereo of an odd length", name, rateOf(name), () => noiseBurst(rateOf(name), 2, 31_415)]
    : ["a song in stereo", name, rateOf(name), () => songAt(rateOf(name))],
);
/** The media module's formats.test.ts covers layouts, rates and lengths of every format; here one of each runs through the whole service. */
const otherPlans: Plan[] = [
  ...(["mp3cbr", "webm"] as const).map((name): Plan => ["mono of an odd length", name, rateOf(name), () => noiseBurst(rateOf(name), 1, 32_337)]),
  ...(["flac24", "m4a", "opus"] as const).map((name): Plan => ["5.1 of an odd length", name, rateOf(name), () => noiseBurst(rateOf(name), 6, 30_001)]),
  ...(
    [
      ["mp3cbr", 8_000],
      ["wav32f", 192_000],
      ["alac24", 88_200],
    ] as const
  ).map(([name, rate]): Plan => ["another rate", name, rate, () => noiseBurst(rate, 2, Math.round(rate * 0.5) + 7)]),
  ...(["wav24", "opus"] as const).map((name): Plan => ["a tenth of a second", name, rateOf(name), () => noiseBurst(rateOf(name), 1, rateOf(name) / 10)]),
];
const PLANS = [...stereoPlans, ...otherPlans].map((plan) => ({ title: `${plan[1]}: ${plan[0]}, ${plan[2]} Hz`, plan }));

/** Returns the highest magnitude over all channels in each of `count` equal slices. */
const peakOutline = (sound: readonly Float32Array[], count: number): number[] =>
  Array.from({ length: count }, (_, slice) => {
    const [from, to] = [slice, slice + 1].map((edge) => Math.floor((edge * sound[0]!.length) / count)) as [number, number];
    let peak = 0;
    for (const channel of sound) for (let index = from; index < to; index += 1) peak = Math.max(peak, Math.abs(channel[index]!));
    return Math.min(1, peak);
  });

let fixtures: Fixtures;
const uploadedCases = new Map<string, UploadedCase>();
const infos = new Map<string, FileInfoResponse>();
const attachments = new Map<number, Attachment>();

async function write({ title, plan: [layout, recipe, rate, createSound] }: (typeof PLANS)[number], path: string): Promise<void> {
  const sound = createSound();
  encodeFile(path, recipe, sound, rate, TAGS);
  const bytes = readFileSync(path);
  // The neutral name ensures that nothing is derived from it.
  const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: `${uploadedCases.size}.bin`, bytes });
  // The first response already contains the kind.
  const { common, file_info } = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response;
  expect([common["kind"], file_info.object], title).toEqual(["audio", "audio_file_info"]);
  uploadedCases.set(title, { recipe, rate, sound, isSong: layout === "a song in stereo", bytes: bytes.length, id });
}

beforeAll(async () => {
  // A process per file takes most of the time; every eighth file is enough to see that it makes no difference.
  fixtures = await createFixtures("sqlite", { analyze: everyNth(8, analyze, analyzeInProcess()) });
  const { testApp, member, home } = fixtures;
  const folder = mkdtempSync(join(tmpdir(), "talkback-formats-"));
  for (const testCase of PLANS) await write(testCase, join(folder, "sound"));
  rmSync(folder, { recursive: true });
  const stop = testApp.app.startMedia();
  const underWay = () => testApp.database.read.selectFrom("jobs").select("id").where("state", "in", ["waiting", "running"]).execute();
  for (const deadline = Date.now() + TIMEOUT_MS; (await underWay()).length > 0; await pause(50)) if (Date.now() > deadline) throw new Error("Still under way");
  await stop();
  for (const [title, { id }] of uploadedCases) infos.set(title, (await testApp.call(member, files.getFileInfo, { body: { file_id: id } })).response);
  const ids = [...uploadedCases.values()].map(({ id }) => id);
  for (let offset = 0; offset < ids.length; offset += MAX_ATTACHMENTS) {
    const attachment_ids = ids.slice(offset, offset + MAX_ATTACHMENTS);
    const { data } = (await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "", attachment_ids } })).response;
    for (const attachment of data.attachments) attachments.set(attachment.id, attachment);
  }
}, TIMEOUT_MS + 60_000);
afterAll(() => fixtures.testApp.close());

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
  test("get_info returns every documented member with the right value", () => {
    const { recipe, rate, sound, isSong, bytes, id } = uploadedCases.get(title)!;
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
    // Tags, tables and frame headers are not audio, and weigh more in a short file.
    else if (isSong) expect(Math.abs(Number(info.bitrate) / ((bytes * 8) / info.duration) - 1)).toBeLessThan(0.06);
    else expect(Number(info.bitrate)).toBeLessThan((bytes * 8 * 1.05) / info.duration);

    const tags = JSON.parse(info.annotations) as Record<string, string>;
    if (recipe === "adts") expect(tags).toEqual({});
    // AIFF text chunks have no field for the artist.
    else expect(tags).toMatchObject(RECIPES[recipe].extension === "aiff" ? { title: TAGS.title } : TAGS);

    expect(info.wave.length).toBeGreaterThan(50);
    expect(info.wave.every((value) => value >= 0 && value <= 1)).toBe(true);
    if (exactCount && isSong) {
      const meanError = peakOutline(sound, info.wave.length).reduce((sum, value, index) => sum + Math.abs(value - info.wave[index]!), 0) / info.wave.length;
      expect(meanError).toBeLessThan(lossless ? 0.02 : 0.05);
    } else if (lossless) expect(Math.max(...info.wave)).toBeCloseTo(Math.max(...peakOutline(sound, 1)), 1);

    if (isSong) {
      expect(Math.abs(ai_tags.bpm - SONG.bpm)).toBeLessThan(2);
      expect(ai_tags.key[0]).toBe(SONG.key);
    } else expect([ai_tags.bpm, ai_tags.key]).toEqual([0, []]);
    expect([info["bpm"], info["key"]]).toEqual([ai_tags.bpm, ai_tags.key[0] ?? null]);
    // Without an installed model, no labels are returned.
    expect(ai_tags).toMatchObject({ genres: [], moods: [], instruments: [], model: { state: "no-model" } });
  });

  test("the attachment shows the same values and is playable in every browser", async () => {
    const { recipe, isSong, id } = uploadedCases.get(title)!;
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
    const { lossless } = RECIPES[recipe];
    // Only AAC in a finished MP4 plays in every browser at exactly the asked second.
    const needsCopy = recipe !== "m4a";
    expect(attachment.compressed_file_url === null).toBe(!needsCopy);
    if (!needsCopy) return;
    const copy = await fixtures.testApp.send(fixtures.guest, { method: "GET", url: new URL(attachment.compressed_file_url!).pathname });
    expect([copy.status, String(copy.headers["content-type"])]).toEqual([200, "audio/mp4"]);
    if (isSong && lossless) expect(Number(copy.headers["content-length"]) * 8).toBeLessThan(SONG.seconds * 225_000);
  });
});
