import { AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32 } from "node-av/constants";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile } from "../testing/formats.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { encodeTone, silentApe } from "../testing/leading-bytes.ts";
import { randomBytes } from "../testing/random.ts";
import { noise } from "../testing/signals.ts";
import { silentFlac } from "../testing/silent-flac.ts";
import { writeVideo } from "../testing/video-file.ts";
import { AudioWriter } from "./audio-writer.ts";

let folder: ReturnType<typeof createTestFolder>;
beforeAll(() => void (folder = createTestFolder()));
afterAll(() => folder[Symbol.dispose]());

async function samplesOf(bytes: Buffer): Promise<number> {
  writeFileSync(folder.resolve("file"), bytes);
  return (await runStepsInProcess(folder.resolve("file"), folder.path, ["probe"])).probe!.audio!.samples;
}

function encodeEmpty(recipe: "wav16" | "aiff16" | "flac16" | "m4a"): Buffer {
  encodeFile(folder.resolve("empty"), recipe, [new Float32Array(0), new Float32Array(0)], 44_100);
  return readFileSync(folder.resolve("empty"));
}

/** FLAC with eight channels of 24 bits at 192 kHz: silence, and a second of noise in frames of 300 kB. */
function encodeLargeFlac(secondsOfSilence: number): Buffer {
  const writer = new AudioWriter({
    path: folder.resolve("large"),
    format: "flac",
    codec: "flac",
    sampleFormat: AV_SAMPLE_FMT_S32,
    bitsPerRawSample: 24,
    sampleRate: 192_000,
    channels: 8,
    codecOptions: { frame_size: "16384" },
  });
  const second = noise(0.9, 1, 192_000);
  const silence = new Float32Array(192_000);
  for (let count = 0; count < secondsOfSilence; count += 1)
    writer.write(
      Array.from({ length: 8 }, () => silence),
      silence.length,
    );
  writer.write(
    Array.from({ length: 8 }, () => second),
    second.length,
  );
  writer.finish();
  return readFileSync(folder.resolve("large"));
}

describe("a file of which nothing can be decoded is not called damaged if it is not", () => {
  test.each(["wav16", "aiff16", "flac16"] as const)("%s without samples", async (recipe) => {
    await expect(samplesOf(encodeEmpty(recipe))).rejects.toMatchObject({ code: "no-sound", message: "No sound was found in the file.", retry: false });
  });

  test("FLAC with frames that are too large, as a whole or from some place on", async () => {
    const limit = "FLAC frames of more than 160 kB are not supported.";
    await expect(samplesOf(encodeLargeFlac(0))).rejects.toMatchObject({ code: "not-supported", message: limit });
    writeFileSync(folder.resolve("file"), encodeLargeFlac(2));
    const { probe } = await runStepsInProcess(folder.resolve("file"), folder.path, ["probe"]);
    expect(probe!.notes).toEqual([
      { code: "not-supported", text: expect.stringMatching(/^Only [\d.]+ s of 3\.0 s could be decoded\. FLAC frames of more than 160 kB/) },
    ]);
  });

  test("FLAC with the largest blocks that the format allows", async () => {
    await expect(samplesOf(silentFlac(1, 65_536))).rejects.toMatchObject({
      code: "not-supported",
      message: "FLAC with blocks of 65,536 samples is not supported.",
    });
  });

  test("an old form of Monkey's Audio", async () => {
    const old = silentApe();
    old.writeUInt16LE(3_700, 4);
    await expect(samplesOf(old)).rejects.toMatchObject({ code: "not-supported", message: "This form of Monkey's Audio is not supported." });
  });

  test("blocks that the decoder rejects, whatever the reason", async () => {
    const wavpack = encodeTone(folder.resolve("tone"), "wavpack", 0.3);
    // Each block has a header of 32 bytes, which counts from its ninth byte on.
    for (let at = 0; wavpack.toString("latin1", at, at + 4) === "wvpk"; at += 8 + wavpack.readUInt32LE(at + 4))
      randomBytes(wavpack.readUInt32LE(at + 4) - 24).copy(wavpack, at + 32);
    await expect(samplesOf(wavpack)).rejects.toMatchObject({
      code: "damaged",
      message: "Nothing could be decoded: the file is damaged, or a form of WavPack that is not supported.",
    });
  });
});

test("a file whose sound was cut off is damaged", async () => {
  encodeFile(folder.resolve("m4a"), "m4a", [noise(0.3, 2, 44_100)], 44_100);
  const m4a = readFileSync(folder.resolve("m4a"));
  await expect(samplesOf(m4a.subarray(0, m4a.indexOf("mdat") + 4))).rejects.toMatchObject({
    code: "damaged",
    message: "The file is damaged: its header declares 2.0 s of sound, which is missing.",
  });
});

test("a video whose sound has an unknown encoding is a video without sound", async () => {
  const path = folder.resolve("video");
  await writeVideo(path, { width: 64, height: 48, seconds: 1, codec: "libx264", options: { preset: "ultrafast" }, format: "mp4", sound: "m4a" });
  const mp4 = readFileSync(path);
  mp4.write("zzzz", mp4.indexOf("mp4a\0"), "latin1");
  // The object type of the encoding, behind the headers of two nested descriptors.
  mp4[mp4.indexOf("esds") + 21] = 0xfe;
  writeFileSync(path, mp4);
  const { probe } = await runStepsInProcess(path, folder.path, ["probe"]);
  expect(probe).toMatchObject({ kind: "video", audio: null, video: { width: 64, height: 48 } });
  expect(probe!.notes).toEqual([{ code: "not-supported", text: "The video's sound was left out. The encoding of the sound is unknown and not supported." }]);
});

describe("FLAC with wrong metadata is decoded as a whole", () => {
  const padding = (isLast: boolean): Buffer => Buffer.concat([Buffer.from([isLast ? 0x81 : 1, 0, 0, 8]), Buffer.alloc(8)]);
  const parts = (flac: Buffer) => {
    const frames = flac.subarray(flac.indexOf(Buffer.from([0xff, 0xf8])));
    return { magic: flac.subarray(0, 4), streamInfo: flac.subarray(8, 42), frames };
  };
  const declareBlocks = (streamInfo: Buffer, size: number): Buffer => {
    const copy = Buffer.from(streamInfo);
    copy.writeUInt16BE(size, 0);
    copy.writeUInt16BE(size, 2);
    return copy;
  };
  const header = (isLast: boolean): Buffer => Buffer.from([isLast ? 0x80 : 0, 0, 0, 34]);

  test.each<[string, (flac: ReturnType<typeof parts>) => Buffer[]]>([
    ["without STREAMINFO", ({ magic, frames }) => [magic, padding(true), frames]],
    ["with STREAMINFO behind another block", ({ magic, streamInfo, frames }) => [magic, padding(false), header(true), streamInfo, frames]],
    ["that declares smaller blocks", ({ magic, streamInfo, frames }) => [magic, header(true), declareBlocks(streamInfo, 1_024), frames]],
    ["that declares blocks of 1", ({ magic, streamInfo, frames }) => [magic, header(true), declareBlocks(streamInfo, 1), frames]],
    ["that declares no block size", ({ magic, streamInfo, frames }) => [magic, header(true), declareBlocks(streamInfo, 0), frames]],
  ])("%s", async (_, change) => {
    const writer = new AudioWriter({
      path: folder.resolve("flac"),
      format: "flac",
      codec: "flac",
      sampleFormat: AV_SAMPLE_FMT_S16,
      sampleRate: 44_100,
      channels: 1,
    });
    const channel = noise(0.5, 1.2, 44_100);
    writer.write([channel], channel.length);
    writer.finish();
    expect(await samplesOf(Buffer.concat(change(parts(readFileSync(folder.resolve("flac"))))))).toBe(channel.length);
  });

  test("with blocks of one sample", async () => {
    expect(await samplesOf(silentFlac(0.01, 1))).toBe(4_800);
  });
});
