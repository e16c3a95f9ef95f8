/** What the story says of the songs is true of them: by our own analysis, and by measure. Excerpts prove as much as the whole. */
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runStepsInProcess, createTestFolder } from "../../../media/testing/folder.ts";
import { MIXES } from "../assets.ts";
import { createFilter } from "./filter.ts";
import { encodeWav, masterTrack, mixStems } from "./mastering.ts";
import { renderStems, renderMix } from "./perform.ts";
import { sectionStart, STEMS, type Song } from "./song.ts";
import { BRIDGE_WALTZ } from "./songs/bridge-waltz.ts";
import { HALOGEN } from "./songs/halogen.ts";
import { NIGHTDRIVE } from "./songs/nightdrive.ts";
import { PAPER_MOON } from "./songs/paper-moon.ts";
import { add, RATE, silence, type Track } from "./track.ts";

const PATIENCE = { timeout: 60_000 };
/** Seconds: enough bars for a tempo and a key. */
const EXCERPT = 16;
const UNTIL_THE_DROP_IS_HALF_OVER = 31;

async function analyzeTrack(track: Track, steps: readonly ("loudness" | "music")[]) {
  using folder = createTestFolder();
  writeFileSync(folder.resolve("song"), encodeWav(track));
  return await runStepsInProcess(folder.resolve("song"), folder.path, ["probe", ...steps]);
}

async function expectToBe(song: Song, track: Track): Promise<void> {
  const { music } = await analyzeTrack(track, ["music"]);
  expect(music?.key.name).toBe(song.key);
  expect(Math.abs((music?.tempo.bpm ?? 0) / song.bpm - 1), `${music?.tempo.bpm} bpm`).toBeLessThan(0.01);
}

test.each([HALOGEN, PAPER_MOON, BRIDGE_WALTZ])("$title: $bpm bpm, $key", PATIENCE, async (song) => {
  await expectToBe(song, masterTrack(renderMix(song, EXCERPT), -1));
});

describe("Nightdrive", () => {
  const stems = renderStems(NIGHTDRIVE, UNTIL_THE_DROP_IS_HALF_OVER);
  const mixes = Object.fromEntries(Object.entries(MIXES).map(([name, mix]) => [name, mixStems(stems, mix)])) as Record<keyof typeof MIXES, Track>;

  test("128 bpm, A minor", PATIENCE, () => expectToBe(NIGHTDRIVE, mixes.v3));

  test("the first mix is far too quiet, the second too hot, the third as they say", PATIENCE, async () => {
    const loudness: Record<string, number> = {};
    for (const name of ["v1", "v2", "v3"] as const) loudness[name] = (await analyzeTrack(mixes[name], ["loudness"])).loudness?.integrated ?? 0;
    expect(loudness["v1"]).toBeLessThan(-20);
    expect(loudness["v2"]).toBeGreaterThan(-12);
    expect(Math.abs((loudness["v3"] ?? 0) + 14)).toBeLessThan(1.2);
  });

  test("the bass of the second is hot from the drop on, not before", () => {
    const drop = sectionStart(NIGHTDRIVE, "drop");
    const hotter = (from: number) => lowEnd(mixes.v2, from) - lowEnd(mixes.v3, from);
    expect(hotter(drop + 0.1) - hotter(drop - 6)).toBeGreaterThan(2.5);
  });

  test("the stems add up to the song, and it is the same in every run", () => {
    const short = renderStems(NIGHTDRIVE, 4);
    const sum = silence(4);
    for (const name of STEMS) add(sum, short[name], 1);
    const whole = renderMix(NIGHTDRIVE, 4);
    for (let i = 0; i < sum.left.length; i += 97) expect(sum.left[i]).toBeCloseTo(whole.left[i]!, 4);
    expect(encodeWav(renderMix(NIGHTDRIVE, 4)).equals(encodeWav(whole))).toBe(true);
  });
});

/** Decibels below 120 Hz in the six seconds from here. */
function lowEnd({ left }: Track, from: number): number {
  const filter = createFilter(120, 0);
  let sum = 0;
  for (const sample of left.subarray(Math.round(from * RATE), Math.round((from + 5.8) * RATE))) {
    filter.run(sample);
    sum += filter.low ** 2;
  }
  return 10 * Math.log10(sum);
}
