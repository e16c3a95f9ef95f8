import { AV_SAMPLE_FMT_S16 } from "node-av/constants";
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { analyze, type AnalyzeOptions } from "./analyze.ts";
import { type AudioTarget, AudioWriter } from "./engine/audio-writer.ts";
import { MediaFailure } from "./failure.ts";
import { createTestFolder } from "./testing/folder.ts";
import { encodeFile, RECIPES, type RecipeName } from "./testing/formats.ts";
import { runStepsInProcess } from "./testing/in-process.ts";
import { seeded } from "./testing/random.ts";
import { noise, sine } from "./testing/signals.ts";
import type { StepDone } from "./types.ts";

const SLOW = { timeout: 60_000 };
const RATE = 44_100;

async function expectFailure(options: Omit<AnalyzeOptions, "request"> & Partial<AnalyzeOptions>): Promise<MediaFailure> {
  const error = await analyze({ request: { steps: ["probe", "peaks", "loudness", "music", "copy"] }, ...options }).then(
    (results) => new Error(`no failure but ${JSON.stringify(results).slice(0, 200)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MediaFailure);
  return error as MediaFailure;
}

/** Writes digital silence as FLAC and returns the size of the file. */
function writeSilence(path: string, { seconds, ...target }: { seconds: number } & Pick<AudioTarget, "sampleRate" | "channels" | "codecOptions">): number {
  const writer = new AudioWriter({ path, format: "flac", codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16, ...target });
  const second = Array.from({ length: target.channels }, () => new Float32Array(target.sampleRate));
  for (let done = 0; done < seconds; done += 1) writer.write(second, target.sampleRate);
  writer.finish();
  return statSync(path).size;
}

describe("in a process of its own", () => {
  test("reports each step and increasing progress, and returns all results", SLOW, async () => {
    using folder = createTestFolder();
    // Progress is reported every 200 ms at most, so the sound is long enough for several reports on a fast machine.
    const seconds = 60;
    encodeFile(folder.resolve("a"), "wav16", [noise(0.3, seconds, RATE, 1), noise(0.3, seconds, RATE, 2)], RATE);
    const steps: StepDone[] = [];
    const shares: number[] = [];
    const results = await analyze({
      input: folder.resolve("a"),
      outputs: folder.path,
      request: { steps: ["probe", "peaks", "loudness", "music", "labels", "copy"] },
      onStep: (done) => steps.push(done),
      onProgress: ({ share }) => shares.push(share),
    });
    expect(steps.map(({ step }) => step)).toEqual(["probe", "peaks", "loudness", "music", "labels", "copy"]);
    expect(results.probe!.audio!.samples).toBe(seconds * RATE);
    expect(results.copy!.method).toBe("encode");
    expect(results.labels!.state).toBe("no-model");
    expect(shares.length).toBeGreaterThan(1);
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
    expect(JSON.parse(JSON.stringify(results))).toEqual(results);
  });

  test("a later run performs only the requested steps", SLOW, async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "flac16", [sine(440, 0.3, 1, RATE)], RATE);
    const results = await analyze({ input: folder.resolve("a"), outputs: folder.path, request: { steps: ["copy"] } });
    expect(Object.keys(results).toSorted()).toEqual(["copy", "probe"]);
  });

  test("a killed, crashed, canceled, timed out, stalled or out-of-memory run has its own failure code and retry flag", SLOW, async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "wav16", [noise(0.3, 60, RATE)], RATE);
    const job = { input: folder.resolve("a"), outputs: folder.path };
    const killed = await expectFailure({ ...job, onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGKILL"), 150) });
    expect([killed.code, killed.retry]).toEqual(["killed", true]);
    const crashed = await expectFailure({ ...job, onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGSEGV"), 150) });
    expect([crashed.code, crashed.retry]).toEqual(["crashed", true]);
    const controller = new AbortController();
    const canceled = await expectFailure({ ...job, signal: controller.signal, onStart: () => void setTimeout(() => controller.abort(), 150) });
    expect(canceled.code).toBe("aborted");
    expect((await expectFailure({ ...job, signal: AbortSignal.abort() })).code).toBe("aborted");
    const timedOut = await expectFailure({ ...job, limits: { wallTimeoutMs: 200 } });
    expect([timedOut.code, timedOut.retry]).toEqual(["too-long", false]);
    const stalled = await expectFailure({
      ...job,
      limits: { stallTimeoutMs: 1_500 },
      onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGSTOP"), 150),
    });
    expect([stalled.code, stalled.retry]).toEqual(["stalled", true]);
    const outOfMemory = await expectFailure({ ...job, limits: { rssBytes: 40 * 1024 * 1024 } });
    expect([outOfMemory.code, outOfMemory.message]).toEqual(["out-of-memory", "Processing needed more memory than allowed and was stopped."]);
  });

  test.runIf(process.platform === "linux")("the process starts with an empty environment", SLOW, async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "wav16", [noise(0.3, 10, RATE)], RATE);
    let environment = "unread";
    const read = (pid: number): void => {
      environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    };
    await analyze({ input: folder.resolve("a"), outputs: folder.path, request: { steps: ["probe"] }, onStart: read });
    expect(environment.split("\0").filter((entry) => entry !== "" && !entry.startsWith("NODE_CHANNEL"))).toEqual([]);
  });
});

describe("bad input", () => {
  test("stops at files that decode to far more than their size suggests, and processes silence as encoders write it", { timeout: 180_000 }, async () => {
    using folder = createTestFolder();
    // A block of FLAC has 4,608 samples or so; the format allows 65,535, and silence needs a few bytes whatever its length.
    const dense = writeSilence(folder.resolve("dense"), { seconds: 200, sampleRate: 44_100, channels: 8, codecOptions: { frame_size: "65535" } });
    expect(dense).toBeLessThan(35_000);
    const failure = await expectFailure({ input: folder.resolve("dense"), outputs: folder.path });
    expect([failure.code, failure.message, failure.retry]).toEqual([
      "too-dense",
      "This file decodes to far more audio than its size suggests, so it was not processed.",
      false,
    ]);
    for (const [sampleRate, channels] of [
      [192_000, 2],
      [48_000, 8],
    ] as const) {
      const seconds = Math.floor(62_000_000 / sampleRate / channels);
      writeSilence(folder.resolve("silence"), { seconds, sampleRate, channels });
      const { probe } = await analyze({ input: folder.resolve("silence"), outputs: folder.path, request: { steps: ["probe"] } });
      expect(probe?.audio?.samples).toBe(seconds * sampleRate);
    }
  });

  test("stops when the results need more space than there is", SLOW, async () => {
    using folder = createTestFolder();
    mkdirSync(folder.resolve("out"));
    encodeFile(folder.resolve("a"), "wav16", [noise(0.3, 120, RATE)], RATE);
    const failure = await expectFailure({ input: folder.resolve("a"), outputs: folder.resolve("out"), limits: { outputBytes: 50_000 } });
    expect([failure.code, failure.retry]).toEqual(["disk-full", true]);
  });

  test("rejects a missing file, an empty file and a folder", SLOW, async () => {
    using folder = createTestFolder();
    writeFileSync(folder.resolve("empty"), "");
    expect((await expectFailure({ input: folder.resolve("none"), outputs: folder.path })).code).toBe("missing");
    expect((await expectFailure({ input: folder.resolve("empty"), outputs: folder.path })).code).toBe("empty");
    expect((await expectFailure({ input: folder.path, outputs: folder.path })).code).toBe("missing");
  });

  test("treats text, HTML, SVG and playlists as documents and opens nothing they reference", async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("other.wav"), "wav16", [sine(440, 0.3, 1, RATE)], RATE);
    const contents: [string, string][] = [
      ["just text", "text"],
      ["<!doctype html><script>fetch('/v1/secret')</script>", "html"],
      ["<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script><image href='file:///etc/passwd'/></svg>", "svg"],
      [`#EXTM3U\n#EXTINF:1,\n${folder.resolve("other.wav")}\n#EXT-X-ENDLIST\n`, "playlist"],
      [`ffconcat version 1.0\nfile '${folder.resolve("other.wav")}'\n`, "playlist"],
      ["v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 5004 RTP/AVP 0\r\n", "playlist"],
    ];
    for (const [content, type] of contents) {
      writeFileSync(folder.resolve("song.wav"), content);
      const results = await runStepsInProcess(folder.resolve("song.wav"), folder.path, ["probe", "peaks", "copy", "pictures"]);
      expect(Object.keys(results)).toEqual(["probe"]);
      expect(results.probe).toMatchObject({ kind: "document", type, audio: null });
      const analysis = runStepsInProcess(folder.resolve("song.wav"), folder.path, ["probe"], { expectedKinds: ["audio"] });
      await expect(analysis).rejects.toMatchObject({ code: "not-media" });
    }
  });

  test("does not follow a playlist behind padding or a container header", async () => {
    using folder = createTestFolder();
    for (const content of [`\0\0\0\0#EXTM3U\n/etc/hostname\n`, `ID3\x04\0\0\0\0\0\0#EXTM3U\nfile:///etc/hostname\n`, `RIFF\x10\0\0\0WAVE#EXTM3U\n`]) {
      writeFileSync(folder.resolve("a"), Buffer.from(content, "latin1"));
      const result = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]).catch((error: unknown) => error);
      if (result instanceof MediaFailure) expect(["damaged", "not-media"]).toContain(result.code);
      else expect(result).toMatchObject({ probe: { kind: "document" } });
    }
  });

  test("rejects images that are too large, truncated, corrupt or of an unsupported format, and accepts a valid one", async () => {
    using folder = createTestFolder();
    const valid = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#a40" } })
      .png()
      .toBuffer();
    const huge = Buffer.from(valid);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    // Fix the header checksum so that only the size is wrong.
    const { crc32 } = await import("node:zlib");
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);
    const jpeg = await sharp(noiseImage(), { raw: { width: 256, height: 256, channels: 3 } })
      .jpeg()
      .toBuffer();
    const run = (bytes: Buffer) => {
      writeFileSync(folder.resolve("a"), bytes);
      return runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "pictures"]);
    };
    await expect(run(huge)).rejects.toMatchObject({ code: "too-large-image", retry: false });
    await expect(run(jpeg.subarray(0, 3_000))).rejects.toMatchObject({ code: "damaged" });
    await expect(run(Buffer.concat([valid.subarray(0, 8), Buffer.alloc(500, 7)]))).rejects.toMatchObject({ code: "damaged" });
    const bmp = Buffer.alloc(200);
    bmp.write("BM");
    bmp[14] = 40;
    expect((await run(bmp)).probe).toMatchObject({ kind: "image", image: null, notes: [{ code: "no-picture" }] });
    const { probe, pictures } = await run(valid);
    expect(probe).toMatchObject({ kind: "image", type: "png", image: { width: 800, height: 400, format: "png" } });
    expect(pictures!.thumbnail).toMatchObject({ width: 640, height: 320, mime: "image/webp" });
  });

  test("rejects or ignores impossible sample rates and channel counts", async () => {
    using folder = createTestFolder();
    encodeFile(folder.resolve("a"), "wav16", [sine(440, 0.3, 0.2, RATE)], RATE);
    const wav = readFileSync(folder.resolve("a"));
    const corruptions: [number, number, number][] = [
      [22, 0, 2],
      [22, 60_000, 2],
      [24, 0, 4],
      [24, 4_000_000_000, 4],
      [34, 0, 2],
      [34, 999, 2],
      [16, 0xffff_ffff, 4],
    ];
    for (const [at, value, size] of corruptions) {
      const corrupted = Buffer.from(wav);
      corrupted.writeUIntLE(value, at, size);
      writeFileSync(folder.resolve("lie"), corrupted);
      const result = await runStepsInProcess(folder.resolve("lie"), folder.path, ["probe", "peaks"]).catch((error: unknown) => error);
      // The engine detects some of the corruption. No file may yield wrong facts or throw an untyped error.
      if (result instanceof MediaFailure) expect(["damaged", "not-supported"]).toContain(result.code);
      else expect((result as { probe: { audio: { sampleRate: number } } }).probe.audio.sampleRate).toBe(RATE);
    }
  });

  test.each(Object.keys(RECIPES) as RecipeName[])(
    "%s truncated or corrupted in many places yields facts or a typed failure in bounded time",
    SLOW,
    async (name) => {
      using folder = createTestFolder();
      const rate = RECIPES[name].rates?.[0] ?? RATE;
      encodeFile(folder.resolve("good"), name, [noise(0.3, 0.6, rate, 1), noise(0.3, 0.6, rate, 2)], rate);
      const valid = readFileSync(folder.resolve("good"));
      const random = seeded(name.length * 77);
      const started = performance.now();
      const outcomes = new Set<string>();
      for (let n = 0; n < 12; n++) {
        const bytes = Buffer.from(valid);
        if (n % 2 === 0) writeFileSync(folder.resolve("bad"), bytes.subarray(0, Math.ceil((bytes.length * (n + 1)) / 14)));
        else {
          for (let hit = 0; hit < 20; hit++) bytes[Math.floor(random.next() * (n < 6 ? 200 : bytes.length))] = Math.floor(random.next() * 256);
          writeFileSync(folder.resolve("bad"), bytes);
        }
        const result = await runStepsInProcess(folder.resolve("bad"), folder.path, ["probe", "peaks", "loudness"]).catch((error: unknown) => error);
        if (result instanceof MediaFailure) outcomes.add(result.code);
        else if (result instanceof Error) throw result;
        else outcomes.add("facts");
      }
      for (const outcome of outcomes) expect(["facts", "damaged", "no-sound", "not-supported", "out-of-memory"]).toContain(outcome);
      expect(performance.now() - started).toBeLessThan(40_000);
      truncateSync(folder.resolve("good"), 20);
      const stubResult = await runStepsInProcess(folder.resolve("good"), folder.path, ["probe"]).catch((error: unknown) => error);
      if (stubResult instanceof MediaFailure) expect(["damaged", "not-supported"]).toContain(stubResult.code);
      else expect(stubResult).toMatchObject({ probe: { kind: "document" } });
    },
  );
});

function noiseImage(): Buffer {
  const random = seeded(4);
  return Buffer.from(Array.from({ length: 256 * 256 * 3 }, () => Math.floor(random.next() * 256)));
}
