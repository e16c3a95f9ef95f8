import { AV_PIX_FMT_YUV422P } from "node-av/constants";
import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAudioFile } from "../audio-files.ts";
import { openInput, declaredSeconds } from "../engine/open.ts";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile, type RecipeName } from "../testing/formats.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { seeded } from "../testing/random.ts";
import { noise, sine } from "../testing/signals.ts";
import { writeVideo } from "../testing/video-file.ts";
import { makeCopy } from "./copy.ts";

const readDeclaredSeconds = (path: string): number => {
  const input = openInput(path);
  try {
    return declaredSeconds(input);
  } finally {
    input.close();
  }
};

describe("audio", () => {
  test.each([
    ["wav24", 96_000, 2, 48_000, 2],
    ["flac16", 44_100, 1, 44_100, 1],
    ["aiff16", 48_000, 6, 48_000, 2],
    ["alac16", 44_100, 2, 44_100, 2],
    ["wav32f", 88_200, 2, 44_100, 2],
  ] as [RecipeName, number, number, number, number][])(
    "%s at %i Hz with %i channels becomes an .m4a of the same length with the index in front",
    async (name, rate, channels, toRate, toChannels) => {
      using folder = createTestFolder();
      const sound = Array.from({ length: channels }, (_, c) => sine(300 + 50 * c, 0.2, 2.3, rate));
      encodeFile(folder.resolve("a"), name, sound, rate);
      const { copy } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "copy"]);
      expect(copy).toMatchObject({ method: "encode", mime: "audio/mp4", file: "copy.m4a" });
      const path = folder.resolve("copy.m4a");
      const { probe } = await runStepsInProcess(path, folder.path, ["probe"]);
      expect(probe!.audio).toMatchObject({ encoding: "aac", sampleRate: toRate, channels: toChannels });
      expect(Math.abs(probe!.audio!.duration - 2.3)).toBeLessThan(0.002);
      const bytes = readFileSync(path);
      expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
      expect(bytes.length).toBe(copy!.bytes);
    },
  );

  test("a file that browsers play at every asked second gets no copy", async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "m4a", [sine(300, 0.2, 1, 44_100)], 44_100);
    expect((await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "copy"])).copy).toBeNull();
  });

  test.each([
    ["webmLive", "encode"],
    ["adts", "remux"],
  ] as [RecipeName, string][])("a recording without a duration gets one (%s) in a container that every browser plays", async (name, method) => {
    const file = "copy.m4a";
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), name, [sine(300, 0.2, 3, 48_000)], 48_000);
    if (name === "webmLive") expect(readDeclaredSeconds(folder.resolve("a"))).toBe(0);
    const { copy, probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "copy"]);
    expect(copy).toMatchObject({ method, file, mime: "audio/mp4" });
    expect(Math.abs(readDeclaredSeconds(folder.resolve(file)) - 3)).toBeLessThan(0.05);
    const reprobed = await runStepsInProcess(folder.resolve(file), folder.path, ["probe"]);
    expect(Math.abs(reprobed.probe!.audio!.samples - probe!.audio!.samples)).toBeLessThan(2_100);
  });
});

describe("timing", () => {
  /** Samples per second of the comparison: fine enough for a fifth of a millisecond. */
  const COMPARED_RATE = 16_000;
  const MAX_LAG = 400;
  const readMono = async (path: string) => (await readAudioFile(path, { sampleRate: COMPARED_RATE, channels: 1 }))[0]!;

  /** Returns the samples by which `copy` is later than `original`. */
  function measureLag(original: Float32Array, copy: Float32Array): number {
    let best = { lag: 0, product: -Infinity };
    for (let lag = -MAX_LAG; lag <= MAX_LAG; lag++) {
      let product = 0;
      for (let i = MAX_LAG; i < original.length - MAX_LAG; i++) product += original[i]! * (copy[i + lag] ?? 0);
      if (product > best.product) best = { lag, product };
    }
    return best.lag;
  }

  test.each([1_000, 7_350, 8_000, 11_025, 12_000, 22_050, 32_000, 37_800, 44_100, 50_000, 64_000, 88_200, 96_000, 176_400, 192_000, 384_000, 768_000])(
    "the copy of %i Hz begins and ends with the original",
    async (rate) => {
      using folder = createTestFolder();
      encodeFile(folder.resolve("a"), "wav16", [noise(0.4, 0.5, rate)], rate);
      const { probe, copy } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "copy"]);
      const copied = await runStepsInProcess(folder.resolve(copy!.file), folder.path, ["probe"]);
      expect(Math.abs(copied.probe!.audio!.duration - probe!.audio!.duration)).toBeLessThan(2 / Math.min(rate, 44_100));
      const lag = measureLag(await readMono(folder.resolve("a")), await readMono(folder.resolve(copy!.file)));
      expect(Math.abs(lag)).toBeLessThanOrEqual(1);
    },
  );

  test.each([1, 2, 17, 18])("a sound of %i samples gets a copy with a duration", async (samples) => {
    using folder = createTestFolder();
    for (const rate of [1_000, 44_100, 96_000, 768_000]) {
      encodeFile(folder.resolve("a"), "wav16", [noise(0.4, samples / rate, rate)], rate);
      const { copy } = await runStepsInProcess(folder.resolve("a"), folder.path, ["copy"]);
      const { probe } = await runStepsInProcess(folder.resolve(copy!.file), folder.path, ["probe"]);
      expect(probe!.audio!.samples).toBe(Math.max(1, Math.round((samples / rate) * probe!.audio!.sampleRate)));
    }
  });
});

describe("a way to copy that fails", () => {
  const FACTS = { onProgress() {}, container: "aac", video: null, startSeconds: 0 };

  test("is replaced by encoding if streams cannot be copied", async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "vorbis", [sine(300, 0.2, 1, 44_100)], 44_100);
    const { probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]);
    const copy = await makeCopy({ ...FACTS, input: folder.resolve("a"), folder: folder.path, plan: "remux", audio: probe!.audio });
    expect(copy).toMatchObject({ method: "encode", file: "copy.m4a" });
  });

  test.each(["adts", "mp3bare", "mp3vbr", "wav16", "flac16", "vorbis", "m4a"] as RecipeName[])("leaves %s with junk behind it a copy", async (name) => {
    using folder = createTestFolder();
    const random = seeded(5);
    encodeFile(folder.resolve("a"), name, [noise(0.3, 1, 44_100)], 44_100);
    appendFileSync(folder.resolve("a"), Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(random.next() * 256))));
    const { probe, copy } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "copy"]);
    const played = await runStepsInProcess(folder.resolve(copy?.file ?? "a"), folder.path, ["probe"]);
    expect(Math.abs(played.probe!.audio!.duration - probe!.audio!.duration)).toBeLessThan(0.02);
  });

  test("is replaced by encoding if the result has another length than the sound", async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "adts", [sine(300, 0.2, 1, 44_100)], 44_100);
    const { probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]);
    const job = { ...FACTS, input: folder.resolve("a"), folder: folder.path, plan: "remux" as const };
    expect(await makeCopy({ ...job, audio: probe!.audio })).toMatchObject({ method: "remux" });
    expect(await makeCopy({ ...job, audio: { ...probe!.audio!, duration: probe!.audio!.duration + 1 } })).toMatchObject({ method: "encode" });
  });

  test("ends with a reason if no other is left, without a retry, but a full disk is retried", async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "vorbis", [sine(300, 0.2, 1, 44_100)], 44_100);
    const { probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]);
    const job = { ...FACTS, input: folder.resolve("a"), folder: folder.path, plan: "remux" as const };
    const impossible = { ...probe!.audio!, channels: 0 };
    await expect(makeCopy({ ...job, audio: impossible })).rejects.toMatchObject({
      code: "no-copy",
      retry: false,
      detail: expect.stringMatching(/^remux: .+; encode: /),
    });
    await expect(makeCopy({ ...job, audio: probe!.audio, folder: folder.resolve("absent") })).rejects.toMatchObject({ code: "missing", retry: true });
  });
});

describe("video", () => {
  const baseRecipe = { width: 320, height: 180, seconds: 2 };

  test("a playable video gets no copy, but stills and a thumbnail", async () => {
    using folder = createTestFolder();
    await writeVideo(folder.resolve("a"), { ...baseRecipe, format: "mp4", codec: "libx264", sound: "m4a", options: { preset: "ultrafast" } });
    const { probe, copy, pictures, peaks } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "peaks", "copy", "pictures"]);
    expect(probe).toMatchObject({ kind: "video", video: { width: 320, height: 180, encoding: "h264", frameRate: 25 } });
    expect(Math.abs(probe!.video!.duration - 2)).toBeLessThan(0.1);
    expect(peaks!.levels.length).toBeGreaterThan(0);
    expect(copy).toBeNull();
    expect(pictures!.thumbnail).toMatchObject({ width: 320, height: 180, mime: "image/jpeg" });
    expect(pictures!.stills).toMatchObject({ count: 2, columns: 2, rows: 1, everySeconds: probe!.video!.duration / 2 });
  }, 30_000);

  test("a browser's recording without a duration gets a copy with one, and stills", async () => {
    using folder = createTestFolder();
    await writeVideo(folder.resolve("a"), { ...baseRecipe, seconds: 3, format: "webm", codec: "libvpx", sound: "opus", formatOptions: { live: "1" } });
    expect(readDeclaredSeconds(folder.resolve("a"))).toBe(0);
    const { probe, copy, pictures } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "copy", "pictures"]);
    expect(Math.abs(probe!.video!.duration - 3)).toBeLessThan(0.1);
    expect(copy).toMatchObject({ method: "remux", file: "copy.webm", mime: "video/webm" });
    expect(Math.abs(readDeclaredSeconds(folder.resolve("copy.webm")) - 3)).toBeLessThan(0.1);
    expect(pictures!.stills).toMatchObject({ count: 3, columns: 3, rows: 1 });
  }, 30_000);

  test.each([
    ["old codec with foreign sound", { format: "matroska", codec: "mpeg4", sound: "opus" as const }],
    ["4:2:2 without sound", { format: "mp4", codec: "libx264", pixelFormat: AV_PIX_FMT_YUV422P, options: { preset: "ultrafast" } }],
    ["right streams in the wrong container", { format: "matroska", codec: "libx264", sound: "m4a" as const, options: { preset: "ultrafast" } }],
  ])(
    "%s becomes H.264 and AAC in an .mp4",
    async (_, recipe) => {
      using folder = createTestFolder();
      await writeVideo(folder.resolve("a"), { ...baseRecipe, ...recipe });
      const { copy, probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "copy"]);
      expect(copy).toMatchObject({ method: "video", file: "copy.mp4" });
      const encoded = await runStepsInProcess(folder.resolve("copy.mp4"), folder.path, ["probe"]);
      expect(encoded.probe!.video).toMatchObject({ encoding: "h264", pixelFormat: "yuv420p", width: 320, height: 180 });
      if (probe!.audio) {
        expect(encoded.probe!.audio!.encoding).toBe("aac");
        expect(Math.abs(encoded.probe!.audio!.duration - probe!.audio.duration)).toBeLessThan(0.05);
      } else expect(encoded.probe!.audio).toBeNull();
      expect(Math.abs(encoded.probe!.video!.duration - 2)).toBeLessThan(0.1);
    },
    30_000,
  );
});
