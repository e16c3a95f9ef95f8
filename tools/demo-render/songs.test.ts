/** Checks what the demo's story says about the songs: tempo, key, loudness and the times of sections. Excerpts are enough for the analysis. */
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { encodeWav } from "../../server/media/audio-files.ts";
import { createTestFolder } from "../../server/media/testing/folder.ts";
import { runStepsInProcess } from "../../server/media/testing/in-process.ts";
import { openAssets } from "../../server/modules/demo/assets.ts";
import { BRIDGE_WALTZ_TIMES, HALOGEN_TIMES, NIGHTDRIVE_TIMES, PAPER_MOON_TIMES } from "../../server/modules/demo/story/song-times.ts";
import { masterTrack, MIXES, mixStems } from "./mixes.ts";
import { createFilter } from "./synth/filter.ts";
import { renderStems, renderMix } from "./synth/perform.ts";
import { barSeconds, sectionStart, STEMS, type Song } from "./synth/song.ts";
import { BRIDGE_WALTZ } from "./synth/songs/bridge-waltz.ts";
import { HALOGEN } from "./synth/songs/halogen.ts";
import { NIGHTDRIVE } from "./synth/songs/nightdrive.ts";
import { PAPER_MOON } from "./synth/songs/paper-moon.ts";
import { addTrack, SAMPLE_RATE, silentTrack, type Track } from "./synth/track.ts";

const SLOW = { timeout: 60_000 };
/** Enough bars for the analysis to find tempo and key. */
const EXCERPT_SECONDS = 16;
/** Seconds from the start to beyond the middle of the drop. */
const HALF_OF_DROP_SECONDS = 31;

async function analyzeTrack(track: Track, steps: readonly ("loudness" | "music")[]) {
  using folder = createTestFolder();
  writeFileSync(folder.resolve("song"), encodeWav([track.left, track.right], SAMPLE_RATE));
  return await runStepsInProcess(folder.resolve("song"), folder.path, ["probe", ...steps]);
}

async function expectTempoAndKey(song: Song, track: Track): Promise<void> {
  const { music } = await analyzeTrack(track, ["music"]);
  expect(music?.key.name).toBe(song.key);
  expect(Math.abs((music?.tempo.bpm ?? 0) / song.bpm - 1), `${music?.tempo.bpm} bpm`).toBeLessThan(0.01);
}

test.each([HALOGEN, PAPER_MOON, BRIDGE_WALTZ])("$title: $bpm bpm, $key", SLOW, async (song) => {
  await expectTempoAndKey(song, masterTrack(renderMix(song, EXCERPT_SECONDS), -1));
});

test("the times in the story are those of the songs' sections", () => {
  const sections: [Song, string, number][] = [
    [NIGHTDRIVE, "verse", NIGHTDRIVE_TIMES.verse],
    [NIGHTDRIVE, "drop", NIGHTDRIVE_TIMES.drop],
    [NIGHTDRIVE, "break", NIGHTDRIVE_TIMES.break],
    [NIGHTDRIVE, "last drop", NIGHTDRIVE_TIMES.lastDrop],
    [HALOGEN, "bridge", HALOGEN_TIMES.bridge],
    [HALOGEN, "second drop", HALOGEN_TIMES.secondDrop],
    [PAPER_MOON, "chorus", PAPER_MOON_TIMES.chorus],
    [BRIDGE_WALTZ, "bridge opens", BRIDGE_WALTZ_TIMES.bridgeOpens],
  ];
  for (const [song, name, seconds] of sections) expect(seconds, `${song.title}, ${name}`).toBeCloseTo(sectionStart(song, name), 3);
  expect(NIGHTDRIVE_TIMES.bar).toBe(barSeconds(NIGHTDRIVE));
});

describe("Nightdrive", () => {
  const stems = renderStems(NIGHTDRIVE, HALF_OF_DROP_SECONDS);
  const mixes = Object.fromEntries(Object.entries(MIXES).map(([name, mix]) => [name, mixStems(stems, mix)])) as Record<keyof typeof MIXES, Track>;

  test("128 bpm, A minor", SLOW, () => expectTempoAndKey(NIGHTDRIVE, mixes.v3));

  test("mix v1 is far too quiet, v2 too loud, and v3 close to -14 LUFS", SLOW, async () => {
    const loudness: Record<string, number> = {};
    for (const name of ["v1", "v2", "v3"] as const) loudness[name] = (await analyzeTrack(mixes[name], ["loudness"])).loudness?.integrated ?? 0;
    expect(loudness["v1"]).toBeLessThan(-20);
    expect(loudness["v2"]).toBeGreaterThan(-12);
    expect(Math.abs((loudness["v3"] ?? 0) + 14)).toBeLessThan(1.2);
  });

  test("the shipped mix v3 has -14 LUFS and peaks at -1 dB, as the story says", SLOW, async () => {
    using folder = createTestFolder();
    writeFileSync(folder.resolve("song"), await openAssets().bytes("v3"));
    const { loudness } = await runStepsInProcess(folder.resolve("song"), folder.path, ["probe", "loudness"]);
    expect(Math.abs((loudness?.integrated ?? 0) + 14)).toBeLessThan(0.5);
    expect(Math.abs((loudness?.truePeak ?? 0) + 1)).toBeLessThan(0.3);
  });

  test("the bass of mix v2 is too loud from the drop on, not before", () => {
    const drop = sectionStart(NIGHTDRIVE, "drop");
    const excessBass = (from: number) => bassEnergy(mixes.v2, from) - bassEnergy(mixes.v3, from);
    expect(excessBass(drop + 0.1) - excessBass(drop - 6)).toBeGreaterThan(2.5);
  });

  test("the stems add up to the mix, and every run renders the same mix", () => {
    const short = renderStems(NIGHTDRIVE, 4);
    const sum = silentTrack(4);
    for (const name of STEMS) addTrack(sum, short[name], 1);
    const whole = renderMix(NIGHTDRIVE, 4);
    for (let i = 0; i < sum.left.length; i += 97) expect(sum.left[i]).toBeCloseTo(whole.left[i]!, 4);
    const wav = ({ left, right }: Track) => encodeWav([left, right], SAMPLE_RATE);
    expect(wav(renderMix(NIGHTDRIVE, 4)).equals(wav(whole))).toBe(true);
  });
});

/** Returns the energy below 120 Hz, in decibels, of 5.8 seconds beginning at `from`. */
function bassEnergy({ left }: Track, from: number): number {
  const filter = createFilter(120, 0);
  let sum = 0;
  for (const sample of left.subarray(Math.round(from * SAMPLE_RATE), Math.round((from + 5.8) * SAMPLE_RATE))) {
    filter.process(sample);
    sum += filter.low ** 2;
  }
  return 10 * Math.log10(sum);
}
