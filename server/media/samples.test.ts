/** Bad samples, channel counts and orders of channels, through the whole analysis and the streaming copy. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAudioFile } from "./audio-files.ts";
import { AudioWriter } from "./engine/audio-writer.ts";
import { Resampler } from "./engine/resample.ts";
import { defaultLayout } from "./engine/speakers.ts";
import { createTestFolder } from "./testing/folder.ts";
import { runStepsInProcess } from "./testing/in-process.ts";
import { concatSignals, noise, sine } from "./testing/signals.ts";
import { writeWav } from "./testing/wav.ts";
import type { Step } from "./types.ts";

const SLOW = { timeout: 60_000 };
const RATE = 44_100;
const ALL: Step[] = ["probe", "peaks", "loudness", "music", "copy"];

/** Analyzes a file and returns its results with the bytes of every file made. */
async function analyzeFile(folder: ReturnType<typeof createTestFolder>, name: string) {
  const outputs = folder.resolve(`out-${name}`);
  mkdirSync(outputs);
  const results = await runStepsInProcess(folder.resolve(name), outputs, ALL);
  const files = [...results.peaks!.levels.map(({ file }) => file), results.copy!.file].map((file) => readFileSync(`${outputs}/${file}`).toString("base64"));
  return { results, files };
}

describe("a bad sample costs that sample", () => {
  const LENGTH = RATE * 2;
  const BAD: [string, number[], (number | "first" | "last")[]][] = [
    ["NaN", [Number.NaN], [30_000]],
    ["infinity", [Infinity, -Infinity], [12_345, 40_000]],
    ["1e30", [1e30], [44_000]],
    ["2^25", [-(2 ** 25)], [44_001]],
    ["1e7 in the first sample", [1e7], ["first"]],
    ["1e7, 300 and -129", [1e7, 300, -129], [0, 30_000, 60_001]],
    ["NaN in the first and in the last sample", [Number.NaN, Number.NaN], ["first", "last"]],
    ["a run of them", Array.from({ length: 3_000 }, (_, i) => [Number.NaN, 1e38, -Infinity][i % 3]!), Array.from({ length: 3_000 }, (_, i) => 20_000 + i)],
  ];

  test.each(BAD.flatMap(([name, values, positions]) => (["f32", "f64"] as const).map((samples) => [name, samples, values, positions] as const)))(
    "%s, %s",
    SLOW,
    async (_name, samples, values, positions) => {
      using folder = createTestFolder();
      const write = (name: string, replacements: readonly number[]): void => {
        const channels = [1, 2].map((seed) => Float64Array.from(noise(0.3, 2, RATE, seed)));
        for (const [i, position] of positions.entries())
          channels[i % 2]![position === "first" ? 0 : position === "last" ? LENGTH - 1 : position] = replacements[i]!;
        writeWav(folder.resolve(name), channels, { sampleRate: RATE, samples });
      };
      write("bad", values);
      write(
        "zeros",
        values.map(() => 0),
      );
      const bad = await analyzeFile(folder, "bad");
      const zeros = await analyzeFile(folder, "zeros");
      const [note] = bad.results.probe!.notes;
      expect(note).toMatchObject({ code: "bad-samples" });
      expect(note!.text).toContain(`${values.length.toLocaleString("en")} sample`);
      expect({ ...bad.results, probe: { ...bad.results.probe!, notes: [] } }).toEqual(zeros.results);
      expect(bad.files).toEqual(zeros.files);
    },
  );

  test("a recording whose scaling was forgotten keeps every sample, after a quiet beginning too", SLOW, async () => {
    using folder = createTestFolder();
    const dither = Float32Array.from({ length: RATE / 2 }, (_, i) => (i % 3) - 1);
    const channels = [1, 2].map((seed) =>
      concatSignals(
        new Float32Array(1_000),
        dither,
        Float32Array.from(noise(0.3, 1, RATE, seed), (x) => Math.round(x * 2 ** 23)),
      ),
    );
    for (const samples of ["f32", "f64"] as const) {
      writeWav(folder.resolve(samples), channels, { sampleRate: RATE, samples });
      const { probe, loudness } = await runStepsInProcess(folder.resolve(samples), folder.path, ["probe", "loudness"]);
      expect(probe!.notes).toEqual([]);
      const peak = Math.max(...channels.map((channel) => channel.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0)));
      expect(loudness!.samplePeak).toBeCloseTo(20 * Math.log10(peak), 1);
    }
  });

  test("nothing but NaN is silence, and denormal values are no error", SLOW, async () => {
    using folder = createTestFolder();
    writeWav(folder.resolve("nan"), [new Float32Array(RATE).fill(Number.NaN)], { sampleRate: RATE });
    writeWav(folder.resolve("denormal"), [new Float32Array(RATE).fill(1e-42)], { sampleRate: RATE });
    for (const [name, notes] of [
      ["nan", 1],
      ["denormal", 0],
    ] as const) {
      const { results } = await analyzeFile(folder, name);
      expect(results.probe!.notes).toHaveLength(notes);
      expect(results.probe!.audio!.samples).toBe(RATE);
      expect(results.loudness).toMatchObject({ integrated: null, warnings: [{ code: "silent" }] });
      expect(Math.max(...results.peaks!.wave)).toBe(0);
    }
  });
});

describe("channels", () => {
  test.each([3, 5, 6, 7, 8, 9, 12, 20, 24, 32, 48, 63, 64])("%i channels are analyzed and copied", SLOW, async (count) => {
    using folder = createTestFolder();
    const tone = sine(440, 0.1, 0.5, RATE);
    writeWav(
      folder.resolve("a"),
      Array.from({ length: count }, () => tone),
      { sampleRate: RATE, samples: "s16" },
    );
    const { results } = await analyzeFile(folder, "a");
    expect(results.probe!.audio).toMatchObject({ channels: count, samples: tone.length });
    expect(results.peaks!.channels).toBe(count);
    const copy = await runStepsInProcess(`${folder.resolve("out-a")}/${results.copy!.file}`, folder.path, ["probe", "loudness"]);
    expect(copy.probe!.audio!.channels).toBe(2);
    expect(copy.loudness!.samplePeak).toBeGreaterThan(-23);
    // The tone is in all channels, so both sides of the copy have it.
    expect(Math.abs(copy.loudness!.defects.balance!)).toBeLessThan(0.5);
  });

  const SECONDS = 0.5;
  const SUBWOOFER = 3;
  // Layouts that files declare: 5.1.4 and 7.1.
  test.each([...[2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 24].map((count) => [count, undefined] as const), [10, 0x2_d03f] as const, [8, 0x6_3f] as const])(
    "every one of %i channels (speakers %s) reaches loudness and copy",
    SLOW,
    async (count, mask) => {
      using folder = createTestFolder();
      const rate = 44_100;
      const silent = (c: number): boolean => c === SUBWOOFER && (mask !== undefined || (count >= 6 && count <= 8));
      const tone = sine(440, 0.5, SECONDS, rate);
      const length = tone.length;
      const options = { sampleRate: rate, samples: "s16", ...(mask === undefined ? {} : { mask }) } as const;
      for (let alone = 0; alone < count; alone++) {
        writeWav(
          folder.resolve("alone"),
          Array.from({ length: count }, (_, c) => (c === alone ? tone : new Float32Array(length))),
          options,
        );
        const { loudness } = await runStepsInProcess(folder.resolve("alone"), folder.path, ["probe", "loudness"]);
        if (silent(alone)) expect(loudness!.integrated).toBeNull();
        else expect(loudness!.integrated).toBeGreaterThan(-12);
      }
      // One channel after the other.
      const turns = Array.from({ length: count }, (_, c) => {
        const channel = new Float32Array(length * count);
        channel.set(tone, c * length);
        return channel;
      });
      writeWav(folder.resolve("turns"), turns, options);
      const { copy } = await runStepsInProcess(folder.resolve("turns"), folder.path, ["probe", "copy"]);
      const copied = await readAudioFile(folder.resolve(copy!.file), { sampleRate: rate, channels: 2 });
      for (let c = 0; c < count; c++) {
        const peaks = copied.map((side) => Math.max(...side.subarray((c + 0.2) * length, (c + 0.8) * length)));
        if (silent(c)) expect(Math.max(...peaks)).toBeLessThan(0.001);
        else expect(Math.max(...peaks)).toBeGreaterThan(0.5 / count);
      }
    },
  );

  test.each([
    ["stereo to mono", 2, undefined, 1],
    ["three to mono", 3, undefined, 1],
    ["twelve to mono", 12, undefined, 1],
    ["5.1 to mono", 6, 0x3f, 1],
    ["three to stereo", 3, undefined, 2],
    ["quad to stereo", 4, 0x33, 2],
    ["5.1 to stereo", 6, 0x3f, 2],
    ["7.1 to stereo", 8, 0x6_3f, 2],
    ["5.1.4 to stereo", 10, 0x2_d03f, 2],
    ["twelve to stereo", 12, undefined, 2],
  ])("a mix of channels within full scale is within full scale: %s", async (_name, count, mask, outputs) => {
    using folder = createTestFolder();
    const tone = sine(440, 0.9, 0.2, RATE);
    writeWav(
      folder.resolve("a"),
      Array.from({ length: count }, () => tone),
      { sampleRate: RATE, ...(mask === undefined ? {} : { mask }) },
    );
    for (const channel of await readAudioFile(folder.resolve("a"), { sampleRate: RATE, channels: outputs })) expect(Math.max(...channel)).toBeCloseTo(0.9, 3);
  });

  test("nor does a mix from any number of channels to any other leave full scale, midway in a file", () => {
    const length = 100;
    for (let from = 1; from <= 16; from++) {
      const block = { channels: Array.from({ length: from }, () => new Float32Array(length).fill(0.9)), length };
      for (let to = 1; to <= 12; to++) {
        const resampler = new Resampler({ sampleRate: RATE, channelLayout: defaultLayout(from) }, { sampleRate: RATE, channelLayout: defaultLayout(to) });
        const mixed = resampler.push(block);
        expect(mixed.length).toBe(length);
        const highest = Math.max(...mixed.channels.map((channel) => channel[length / 2]!));
        expect(highest, `${from} to ${to}`).toBeLessThan(0.901);
        expect(highest, `${from} to ${to}`).toBeGreaterThan(0.6);
        resampler.free();
      }
    }
  });

  test("more than 64 channels are refused with the number and the limit", async () => {
    using folder = createTestFolder();
    writeWav(
      folder.resolve("a"),
      Array.from({ length: 65 }, () => new Float32Array(1_000)),
      { sampleRate: RATE },
    );
    await expect(runStepsInProcess(folder.resolve("a"), folder.path, ALL)).rejects.toMatchObject({
      code: "not-supported",
      message: "This file has 65 channels. Up to 64 are supported.",
    });
  });

  test("a decoder that stores each of many channels by itself", SLOW, async () => {
    using folder = createTestFolder();
    const codecOptions = { mapping_family: "255" };
    const writer = new AudioWriter({
      path: folder.resolve("a"),
      format: "ogg",
      codec: "libopus",
      sampleRate: 48_000,
      channels: 12,
      bitRate: 400_000,
      codecOptions,
    });
    const tone = sine(440, 0.2, 0.5, 48_000);
    writer.write(
      Array.from({ length: 12 }, () => tone),
      tone.length,
    );
    writer.finish();
    const { loudness, music } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "loudness", "music"]);
    expect(loudness!.samplePeak).toBeCloseTo(-14, 0);
    expect(music).toBeDefined();
  });
});

describe("speakers in an order of the file's own", () => {
  test("channels that the file lists as right, left are left and right in all results", SLOW, async () => {
    using folder = createTestFolder();
    const tone = sine(440, 0.4, 1, RATE);
    const writer = new AudioWriter({ path: folder.resolve("plain"), format: "caf", codec: "pcm_s16le", sampleRate: RATE, channels: 2 });
    writer.write([tone, tone.map((value) => value / 4)], tone.length);
    writer.finish();
    const plain = readFileSync(folder.resolve("plain"));
    const chunk = plain.indexOf("chan");
    const speakers = Buffer.alloc(64);
    speakers.write("chan");
    speakers.writeBigUInt64BE(52n, 4);
    // Two descriptions of 20 bytes: right, left.
    speakers.writeUInt32BE(2, 20);
    speakers.writeUInt32BE(2, 24);
    speakers.writeUInt32BE(1, 44);
    writeFileSync(
      folder.resolve("a"),
      Buffer.concat([plain.subarray(0, chunk), speakers, plain.subarray(chunk + 12 + Number(plain.readBigUInt64BE(chunk + 4)))]),
    );
    const { results } = await analyzeFile(folder, "a");
    expect(results.probe!.audio!.layout).toBe("stereo");
    expect(results.loudness!.defects.balance).toBeCloseTo(-12, 0);
    const copy = await runStepsInProcess(`${folder.resolve("out-a")}/${results.copy!.file}`, folder.path, ["probe", "loudness"]);
    expect(copy.loudness!.defects.balance).toBeCloseTo(-12, 0);
  });

  test("a sound field is mixed to left and right", SLOW, async () => {
    using folder = createTestFolder();
    const codecOptions = { mapping_family: "2" };
    const writer = new AudioWriter({
      path: folder.resolve("a"),
      format: "ogg",
      codec: "libopus",
      sampleRate: 48_000,
      channels: 4,
      bitRate: 300_000,
      codecOptions,
    });
    const tone = sine(440, 0.4, 1, 48_000);
    // All around and to the left: the sound comes from the left.
    writer.write([tone, tone, new Float32Array(tone.length), new Float32Array(tone.length)], tone.length);
    writer.finish();
    const { probe, loudness } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "loudness", "music"]);
    expect(probe!.audio).toMatchObject({ channels: 4, layout: "ambisonic 1" });
    expect(loudness!.integrated).toBeCloseTo(-8.6, 0);
    const [left, right] = (await readAudioFile(folder.resolve("a"), { sampleRate: 48_000, channels: 2 })) as [Float32Array, Float32Array];
    expect(Math.max(...left)).toBeCloseTo(0.4, 1);
    expect(Math.max(...right)).toBeLessThan(0.05);
  });
});
