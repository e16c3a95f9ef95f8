/** Plays in a real browser what the service would serve of each kind of file, and compares the seconds that sound with those that were asked for. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Listener, startListener } from "../../testing/listener.ts";
import { readAudioFile } from "../audio-files.ts";
import { MediaFailure } from "../failure.ts";
import { createChirp, secondOfChirp } from "../testing/chirp.ts";
import { createTestFolder } from "../testing/folder.ts";
import { ALL_FILES, type AnyFile } from "../testing/odd-files.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { seeded } from "../testing/random.ts";
import { writeVideo } from "../testing/video-file.ts";

const SECONDS = 40;
const PLACES = 20;
/** Of a file that was cut, and whose sound is shorter too: it is served like whole ones. */
const CUT = { seconds: 20, places: 8 };
/** The last place from which enough is left to recognize the pitch. */
const LAST_SECONDS = 0.15;
const TOLERANCE_MS = 50;
const RATE = 48_000;

interface Measured {
  served: string;
  worstMs: number;
  durationMs: number;
}

const measurements: (Measured & { name: string })[] = [];
let listener: Listener;

beforeAll(async () => {
  listener = await startListener();
});
afterAll(async () => {
  await listener.close();
  console.table(
    measurements.map(({ name, served, worstMs, durationMs }) => ({ name, served, "worst ms": worstMs.toFixed(1), "duration ms": durationMs.toFixed(1) })),
  );
});

/** Returns the beginning, places near it, places near the end, and others drawn by seed. */
function choosePlaces(duration: number, seed: number, count = PLACES): number[] {
  const random = seeded(seed);
  const last = duration - LAST_SECONDS;
  const drawn = Array.from({ length: count - 5 }, () => random.next() * last);
  return [0, 0.02, 0.3, ...drawn, last - 0.4, last];
}

/** Analyzes the file, plays the copy or the original, and compares it with the file's own decoded samples, which the page's waveform and comments count. */
async function measure(path: string, folder: string, originalMime: string, chirpSeconds: number, seed: number, places = PLACES): Promise<Measured> {
  const { probe, copy } = await runStepsInProcess(path, folder, ["probe", "copy"]);
  const decoded = (await readAudioFile(path, { sampleRate: RATE, channels: 1 }))[0]!;
  const seconds = choosePlaces(probe!.audio!.duration, seed, places);
  const served = copy ? { path: `${folder}/${copy.file}`, mime: copy.mime } : { path, mime: originalMime };
  const playback = await listener.listen(served.path, served.mime, seconds);
  expect(playback.error).toBeNull();
  const errors = playback.captured.map((samples, index) => {
    expect(samples.length, `samples played from ${seconds[index]} s on`).toBeGreaterThan(playback.rate * 0.05);
    const from = Math.round(seconds[index]! * RATE);
    const expected = secondOfChirp(decoded.slice(from, from + Math.round((samples.length / playback.rate) * RATE)), RATE, chirpSeconds);
    return 1_000 * Math.abs(secondOfChirp(Float32Array.from(samples), playback.rate, chirpSeconds) - expected);
  });
  return { served: copy?.method ?? "original", worstMs: Math.max(...errors), durationMs: 1_000 * Math.abs(playback.duration - probe!.audio!.duration) };
}

function expectExact(name: string, measured: Measured): void {
  measurements.push({ name, ...measured });
  expect(measured.worstMs).toBeLessThan(TOLERANCE_MS);
  expect(measured.durationMs).toBeLessThan(TOLERANCE_MS);
}

test("the measurement itself is exact", () => {
  for (const rate of [8_000, 44_100]) {
    const { samples } = createChirp(SECONDS, rate);
    for (const second of [0, 0.5, 7.77, 20, 39.8]) {
      const from = Math.round(second * rate);
      expect(secondOfChirp(samples.slice(from, from + rate * 0.12), rate, SECONDS)).toBeCloseTo(from / rate, 4);
    }
  }
});

describe.each([1, 0.9, 0.5])("%d of the bytes of", (share) => {
  const { seconds, places } = share === 1 ? { seconds: SECONDS, places: PLACES } : CUT;

  test.each(Object.keys(ALL_FILES) as AnyFile[])("%s", async (name) => {
    using folder = createTestFolder();
    const { write, rate } = ALL_FILES[name];
    const { samples } = createChirp(seconds, rate);
    const path = folder.resolve("original");
    write(path, [samples, samples], rate);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * share)));
    try {
      expectExact(
        share === 1 ? name : `${name}, cut at ${share * 100} %`,
        await measure(path, folder.path, "audio/mp4", seconds, name.length + share * 100, places),
      );
    } catch (error) {
      // Nothing can be decoded of an MP4 that lacks its index.
      if (!(error instanceof MediaFailure && share < 1)) throw error;
      expect(error.code).toBe("damaged");
    }
  });
});

test.each([
  ["wav16", 8_000],
  ["wav16", 11_025],
  ["wav16", 37_800],
  ["wav16", 96_000],
  ["wav16", 192_000],
  ["m4a", 8_000],
  ["m4a", 16_000],
  ["m4a", 32_000],
  ["adts", 22_050],
] as [AnyFile, number][])("%s with %i Hz", async (name, rate) => {
  using folder = createTestFolder();
  const { samples } = createChirp(SECONDS, rate);
  ALL_FILES[name].write(folder.resolve("original"), [samples], rate);
  expectExact(`${name}, ${rate} Hz, mono`, await measure(folder.resolve("original"), folder.path, "audio/mp4", SECONDS, rate));
});

test.each(["MP3, variable rate, bare", "mp3vbr", "mp3cbr", "adts"] as AnyFile[])("five minutes of %s", async (name) => {
  using folder = createTestFolder();
  const { write, rate } = ALL_FILES[name];
  const { samples } = createChirp(300, rate);
  write(folder.resolve("original"), [samples, samples], rate);
  expectExact(`${name}, 300 s`, await measure(folder.resolve("original"), folder.path, "audio/mpeg", 300, 300));
});

test.each([
  ["H.264 and AAC in MP4", { format: "mp4", codec: "libx264", sound: "m4a" as const, options: { preset: "ultrafast" } }, "video/mp4"],
  ["VP8 and Opus in WebM", { format: "webm", codec: "libvpx", sound: "opus" as const }, "video/webm"],
  ["VP8 and Opus in WebM as browsers record it", { format: "webm", codec: "libvpx", sound: "opus" as const, formatOptions: { live: "1" } }, "video/webm"],
  ["MPEG-4 and Opus in Matroska", { format: "matroska", codec: "mpeg4", sound: "opus" as const }, "video/x-matroska"],
])("the sound of a video: %s", async (name, recipe, mime) => {
  using folder = createTestFolder();
  const { samples } = createChirp(SECONDS, RATE);
  await writeVideo(folder.resolve("original"), { ...recipe, width: 160, height: 90, seconds: SECONDS, samples });
  expectExact(`video, ${name}`, await measure(folder.resolve("original"), folder.path, mime, SECONDS, 7));
});

test.each([1, 2, 17, 18, 441])("a sound of %i samples has a duration and no error", async (length) => {
  using folder = createTestFolder();
  for (const rate of [8_000, 44_100, 96_000, 768_000]) {
    ALL_FILES.wav16.write(folder.resolve("original"), [new Float32Array(length).fill(0.3)], rate);
    const { copy } = await runStepsInProcess(folder.resolve("original"), folder.path, ["probe", "copy"]);
    const { duration, error } = await listener.listen(folder.resolve(copy!.file), copy!.mime, []);
    expect(error).toBeNull();
    expect(duration).toBeGreaterThan(0);
    expect(Math.abs(duration - length / rate) * 1_000).toBeLessThan(TOLERANCE_MS);
  }
});
