import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { analyse, type AnalyseOptions } from "./analyse.ts";
import { MediaFailure } from "./failure.ts";
import { encodeFile, RECIPES, type RecipeName } from "./testing/formats.ts";
import { runHere, testFolder } from "./testing/folder.ts";
import { seeded } from "./testing/random.ts";
import { noise, sine } from "./testing/signals.ts";
import type { StepDone } from "./types.ts";

const SLOW = { timeout: 60_000 };
const RATE = 44_100;

async function failureOf(options: Omit<AnalyseOptions, "wish"> & Partial<AnalyseOptions>): Promise<MediaFailure> {
  const error = await analyse({ wish: { steps: ["probe", "peaks", "loudness", "music", "copy"] }, ...options }).then(
    (results) => new Error(`no failure but ${JSON.stringify(results).slice(0, 200)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MediaFailure);
  return error as MediaFailure;
}

describe("in its own process", () => {
  test("steps arrive one by one, progress only grows, the answer holds all of them", SLOW, async () => {
    using folder = testFolder();
    encodeFile(folder.in("a"), "wav16", [noise(0.3, 12, RATE, 1), noise(0.3, 12, RATE, 2)], RATE);
    const steps: StepDone[] = [];
    const shares: number[] = [];
    const results = await analyse({
      input: folder.in("a"),
      outputs: folder.path,
      wish: { steps: ["probe", "peaks", "loudness", "music", "labels", "copy"] },
      onStep: (done) => steps.push(done),
      onProgress: ({ share }) => shares.push(share),
    });
    expect(steps.map(({ step }) => step)).toEqual(["probe", "peaks", "loudness", "music", "labels", "copy"]);
    expect(results.probe!.audio!.samples).toBe(12 * RATE);
    expect(results.copy!.how).toBe("encode");
    expect(results.labels!.state).toBe("no-model");
    expect(shares.length).toBeGreaterThan(1);
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
    expect(JSON.parse(JSON.stringify(results))).toEqual(results);
  });

  test("a later run does only what is wished", SLOW, async () => {
    using folder = testFolder();
    encodeFile(folder.in("a"), "flac16", [sine(440, 0.3, 1, RATE)], RATE);
    const results = await analyse({ input: folder.in("a"), outputs: folder.path, wish: { steps: ["copy"] } });
    expect(Object.keys(results).toSorted()).toEqual(["copy", "probe"]);
  });

  test("killed from outside, canceled, out of time, out of memory: each its own reason, and a retry where it helps", SLOW, async () => {
    using folder = testFolder();
    encodeFile(folder.in("a"), "wav16", [noise(0.3, 60, RATE)], RATE);
    const job = { input: folder.in("a"), outputs: folder.path };
    const killed = await failureOf({ ...job, onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGKILL"), 150) });
    expect([killed.code, killed.retry]).toEqual(["killed", true]);
    const crashed = await failureOf({ ...job, onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGSEGV"), 150) });
    expect([crashed.code, crashed.retry]).toEqual(["crashed", true]);
    const stop = new AbortController();
    const canceled = await failureOf({ ...job, signal: stop.signal, onStart: () => void setTimeout(() => stop.abort(), 150) });
    expect(canceled.code).toBe("aborted");
    expect((await failureOf({ ...job, signal: AbortSignal.abort() })).code).toBe("aborted");
    const late = await failureOf({ ...job, limits: { wallMs: 200 } });
    expect([late.code, late.retry]).toEqual(["too-long", false]);
    const still = await failureOf({ ...job, limits: { stillMs: 1_500 }, onStart: (pid) => void setTimeout(() => process.kill(pid, "SIGSTOP"), 150) });
    expect([still.code, still.retry]).toEqual(["stalled", true]);
    const large = await failureOf({ ...job, limits: { rssBytes: 40 * 1024 * 1024 } });
    expect([large.code, large.message]).toEqual(["out-of-memory", "Processing needed more memory than allowed and was stopped."]);
  });

  test.runIf(process.platform === "linux")("the process starts with an empty environment", SLOW, async () => {
    using folder = testFolder();
    encodeFile(folder.in("a"), "wav16", [noise(0.3, 10, RATE)], RATE);
    let environment = "unread";
    const read = (pid: number): void => {
      environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    };
    await analyse({ input: folder.in("a"), outputs: folder.path, wish: { steps: ["probe"] }, onStart: read });
    expect(environment.split("\0").filter((one) => one !== "" && !one.startsWith("NODE_CHANNEL"))).toEqual([]);
  });
});

describe("bad input", () => {
  test("missing, empty, a folder", SLOW, async () => {
    using folder = testFolder();
    writeFileSync(folder.in("empty"), "");
    expect((await failureOf({ input: folder.in("none"), outputs: folder.path })).code).toBe("missing");
    expect((await failureOf({ input: folder.in("empty"), outputs: folder.path })).code).toBe("empty");
    expect((await failureOf({ input: folder.path, outputs: folder.path })).code).toBe("missing");
  });

  test("text, HTML, SVG and playlists are documents: nothing opens what they name", async () => {
    using folder = testFolder();
    encodeFile(folder.in("other.wav"), "wav16", [sine(440, 0.3, 1, RATE)], RATE);
    const contents: [string, string][] = [
      ["just text", "text"],
      ["<!doctype html><script>fetch('/v1/secret')</script>", "html"],
      ["<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script><image href='file:///etc/passwd'/></svg>", "svg"],
      [`#EXTM3U\n#EXTINF:1,\n${folder.in("other.wav")}\n#EXT-X-ENDLIST\n`, "playlist"],
      [`ffconcat version 1.0\nfile '${folder.in("other.wav")}'\n`, "playlist"],
      ["v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 5004 RTP/AVP 0\r\n", "playlist"],
    ];
    for (const [content, type] of contents) {
      writeFileSync(folder.in("song.wav"), content);
      const results = await runHere(folder.in("song.wav"), folder.path, ["probe", "peaks", "copy", "pictures"]);
      expect(Object.keys(results)).toEqual(["probe"]);
      expect(results.probe).toMatchObject({ kind: "document", type, audio: null });
      const asked = runHere(folder.in("song.wav"), folder.path, ["probe"], { expect: ["audio"] });
      await expect(asked).rejects.toMatchObject({ code: "not-media" });
    }
  });

  test("a playlist hidden behind padding or in a container's clothes is still not followed", async () => {
    using folder = testFolder();
    for (const content of [`\0\0\0\0#EXTM3U\n/etc/hostname\n`, `ID3\x04\0\0\0\0\0\0#EXTM3U\nfile:///etc/hostname\n`, `RIFF\x10\0\0\0WAVE#EXTM3U\n`]) {
      writeFileSync(folder.in("a"), Buffer.from(content, "latin1"));
      const found = await runHere(folder.in("a"), folder.path, ["probe"]).catch((error: unknown) => error);
      if (found instanceof MediaFailure) expect(["damaged", "not-media"]).toContain(found.code);
      else expect(found).toMatchObject({ probe: { kind: "document" } });
    }
  });

  test("images: far too many pixels, cut, corrupt, unreadable format, good", async () => {
    using folder = testFolder();
    const good = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#a40" } })
      .png()
      .toBuffer();
    const huge = Buffer.from(good);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    // The header's checksum, so that only the size is wrong.
    const { crc32 } = await import("node:zlib");
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);
    const jpeg = await sharp(noiseImage(), { raw: { width: 256, height: 256, channels: 3 } })
      .jpeg()
      .toBuffer();
    const run = (bytes: Buffer) => {
      writeFileSync(folder.in("a"), bytes);
      return runHere(folder.in("a"), folder.path, ["probe", "pictures"]);
    };
    await expect(run(huge)).rejects.toMatchObject({ code: "too-large-image", retry: false });
    await expect(run(jpeg.subarray(0, 3_000))).rejects.toMatchObject({ code: "damaged" });
    await expect(run(Buffer.concat([good.subarray(0, 8), Buffer.alloc(500, 7)]))).rejects.toMatchObject({ code: "damaged" });
    const bmp = Buffer.alloc(200);
    bmp.write("BM");
    bmp[14] = 40;
    expect((await run(bmp)).probe).toMatchObject({ kind: "image", image: null, notes: [{ code: "no-picture" }] });
    const { probe, pictures } = await run(good);
    expect(probe).toMatchObject({ kind: "image", type: "png", image: { width: 800, height: 400, format: "png" } });
    expect(pictures!.thumbnail).toMatchObject({ width: 640, height: 320, mime: "image/webp" });
  });

  test("sample rates and channel counts out of this world", async () => {
    using folder = testFolder();
    encodeFile(folder.in("a"), "wav16", [sine(440, 0.3, 0.2, RATE)], RATE);
    const wav = readFileSync(folder.in("a"));
    const lies: [number, number, number][] = [
      [22, 0, 2],
      [22, 60_000, 2],
      [24, 0, 4],
      [24, 4_000_000_000, 4],
      [34, 0, 2],
      [34, 999, 2],
      [16, 0xffff_ffff, 4],
    ];
    for (const [at, value, size] of lies) {
      const lie = Buffer.from(wav);
      lie.writeUIntLE(value, at, size);
      writeFileSync(folder.in("lie"), lie);
      const found = await runHere(folder.in("lie"), folder.path, ["probe", "peaks"]).catch((error: unknown) => error);
      // Some lies the engine sees through; none may pass as nonsense or throw anything untyped.
      if (found instanceof MediaFailure) expect(["damaged", "not-supported"]).toContain(found.code);
      else expect((found as { probe: { audio: { sampleRate: number } } }).probe.audio.sampleRate).toBe(RATE);
    }
  });

  test.each(Object.keys(RECIPES) as RecipeName[])("%s cut off and corrupted at many places: facts or a typed failure, in bounded time", SLOW, async (name) => {
    using folder = testFolder();
    const rate = RECIPES[name].rates?.[0] ?? RATE;
    encodeFile(folder.in("good"), name, [noise(0.3, 0.6, rate, 1), noise(0.3, 0.6, rate, 2)], rate);
    const good = readFileSync(folder.in("good"));
    const random = seeded(name.length * 77);
    const started = performance.now();
    const outcomes = new Set<string>();
    for (let n = 0; n < 12; n++) {
      const bytes = Buffer.from(good);
      if (n % 2 === 0) writeFileSync(folder.in("bad"), bytes.subarray(0, Math.ceil((bytes.length * (n + 1)) / 14)));
      else {
        for (let hit = 0; hit < 20; hit++) bytes[Math.floor(random.next() * (n < 6 ? 200 : bytes.length))] = Math.floor(random.next() * 256);
        writeFileSync(folder.in("bad"), bytes);
      }
      const found = await runHere(folder.in("bad"), folder.path, ["probe", "peaks", "loudness"]).catch((error: unknown) => error);
      if (found instanceof MediaFailure) outcomes.add(found.code);
      else if (found instanceof Error) throw found;
      else outcomes.add("facts");
    }
    for (const outcome of outcomes) expect(["facts", "damaged", "not-supported", "out-of-memory"]).toContain(outcome);
    expect(performance.now() - started).toBeLessThan(40_000);
    truncateSync(folder.in("good"), 20);
    const stub = await runHere(folder.in("good"), folder.path, ["probe"]).catch((error: unknown) => error);
    if (stub instanceof MediaFailure) expect(["damaged", "not-supported"]).toContain(stub.code);
    else expect(stub).toMatchObject({ probe: { kind: "document" } });
  });
});

function noiseImage(): Buffer {
  const random = seeded(4);
  return Buffer.from(Array.from({ length: 256 * 256 * 3 }, () => Math.floor(random.next() * 256)));
}
