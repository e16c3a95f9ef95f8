import { describe, expect, test } from "vitest";
import { createTestFolder } from "./testing/folder.ts";
import { RECIPES, encodeFile, type RecipeName } from "./testing/formats.ts";
import { runStepsInProcess } from "./testing/in-process.ts";
import { noise, sine } from "./testing/signals.ts";

const NAMES = Object.keys(RECIPES) as RecipeName[];
/** The MP3 encoder supports one or two channels only. */
const channelCounts = (name: RecipeName): number[] => (name.startsWith("mp3") ? [1, 2] : [1, 2, 6]);

describe.each(NAMES)("%s", (name) => {
  const recipe = RECIPES[name];
  const rate = recipe.rates?.[0] ?? 44_100;

  test.each(channelCounts(name))("reads samples, facts and tags of %i channels of an odd length", async (channels) => {
    using folder = createTestFolder();
    const samples = Math.round(rate * 0.73) + 137;
    const sound = Array.from({ length: channels }, (_, c) => sine(220 + 60 * c, 0.4, samples / rate, rate).slice(0, samples));
    const path = folder.resolve("nameless");
    encodeFile(path, name, sound, rate, { title: "Käse", artist: "Anna" });
    const { probe } = await runStepsInProcess(path, folder.path, ["probe"]);
    const { audio } = probe!;
    expect(probe!.kind).toBe("audio");
    expect(audio).toMatchObject({ sampleRate: rate, channels, lossless: recipe.lossless, bitsPerSample: recipe.bits });
    if (recipe.exactCount) expect(audio!.samples).toBe(sound[0]!.length);
    // Undeclared padding adds less than three encoder frames.
    else expect(Math.abs(audio!.samples - sound[0]!.length)).toBeLessThan(3 * 1_152);
    expect(audio!.duration).toBeCloseTo(audio!.samples / rate, 9);
    expect(Number(audio!.bitrate)).toBeGreaterThan(8_000);
    const tags = JSON.parse(probe!.annotations) as Record<string, string>;
    if (name !== "adts") expect(tags["title"]).toBe("Käse");
    expect(probe!.notes).toEqual([]);
  });
});

test.each(NAMES.filter((name) => name !== "opus" && !name.startsWith("webm")))("reads 0.1 s of %s from 8 kHz to its highest sample rate", async (name) => {
  using folder = createTestFolder();
  const rates = RECIPES[name].lossless ? [8_000, 96_000, 192_000] : [8_000, 48_000];
  for (const rate of rates) {
    const path = folder.resolve(String(rate));
    encodeFile(path, name, [noise(0.2, 0.1, rate)], rate);
    const { probe } = await runStepsInProcess(path, folder.path, ["probe"]);
    expect(probe!.audio!.sampleRate).toBe(rate);
    if (RECIPES[name].exactCount) expect(probe!.audio!.samples).toBe(rate / 10);
  }
});

test("the bitrate is the declared one if the packets confirm it, otherwise the average", async () => {
  using folder = createTestFolder();
  const sound = [noise(0.3, 3, 44_100, 1), noise(0.3, 3, 44_100, 2)];
  encodeFile(folder.resolve("a"), "mp3cbr", sound, 44_100);
  encodeFile(folder.resolve("b"), "wav24", sound, 44_100);
  encodeFile(folder.resolve("c"), "flac16", sound, 44_100);
  const bitrateOf = async (name: string): Promise<string> => (await runStepsInProcess(folder.resolve(name), folder.path, ["probe"])).probe!.audio!.bitrate;
  expect(await bitrateOf("a")).toBe("192000");
  expect(await bitrateOf("b")).toBe(String(44_100 * 24 * 2));
  expect(Number(await bitrateOf("c"))).toBeGreaterThan(900_000);
});
