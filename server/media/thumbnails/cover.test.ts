/** Tests that the cover picture of every kind of audio file becomes its thumbnail, and that a bad picture never fails the sound. */
import { AV_SAMPLE_FMT_S16P } from "node-av/constants";
import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AudioWriter } from "../engine/audio-writer.ts";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile, RECIPES, type RecipeName } from "../testing/formats.ts";
import { hugePng } from "../testing/hostile.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { noise } from "../testing/signals.ts";
import { apeV2, flacPicture, id3v2, mp4Data, mp4Tag, pictureFrame, withChunk, withFlacBlocks, withMatroskaAttachment, withMp4Tags } from "../testing/tagged.ts";

const RED = { r: 200, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 200 };
const picture = (background: object, format: "jpeg" | "png" | "webp" = "jpeg", width = 60, height = 60): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

let folder: ReturnType<typeof createTestFolder>;
let red: Buffer;
let blue: Buffer;
beforeAll(async () => {
  folder = createTestFolder();
  [red, blue] = await Promise.all([picture(RED), picture(BLUE)]);
});
afterAll(() => folder[Symbol.dispose]());

function encode(recipe: RecipeName, tags: Record<string, string> = {}): Buffer {
  const rate = RECIPES[recipe].rates?.[0] ?? 44_100;
  encodeFile(folder.resolve("encoded"), recipe, [noise(0.3, 0.4, rate)], rate, tags);
  return readFileSync(folder.resolve("encoded"));
}

function encodeWavPack(): Buffer {
  const path = folder.resolve("encoded");
  const sound = noise(0.3, 0.4, 44_100);
  const writer = new AudioWriter({ path, format: "wv", codec: "wavpack", sampleFormat: AV_SAMPLE_FMT_S16P, sampleRate: 44_100, channels: 1 });
  writer.write([sound], sound.length);
  writer.finish();
  writer.close();
  // Without the engine's own tag, which follows the last block.
  const bytes = readFileSync(path);
  const tag = bytes.lastIndexOf("APETAGEX", bytes.length - 33, "latin1");
  return tag < 0 ? bytes : bytes.subarray(0, tag);
}

async function analyze(file: Buffer) {
  writeFileSync(folder.resolve("file"), file);
  const { probe, peaks, pictures } = await runStepsInProcess(folder.resolve("file"), folder.path, ["probe", "peaks", "pictures"]);
  expect(probe).toMatchObject({ kind: "audio", notes: [] });
  expect(peaks!.levels.length).toBeGreaterThan(0);
  return pictures!;
}

/** Returns the average color of the thumbnail, or null if there is none. */
async function coverColor(file: Buffer): Promise<"red" | "blue" | null> {
  const { thumbnail, stills } = await analyze(file);
  expect(stills).toBeNull();
  if (!thumbnail) return null;
  expect(thumbnail).toEqual({ file: "thumbnail.webp", mime: "image/webp", width: 320, height: 320 });
  const { channels } = await sharp(readFileSync(folder.resolve(thumbnail.file))).stats();
  return channels[0]!.mean > channels[2]!.mean ? "red" : "blue";
}

const FORMATS: [description: string, file: () => Buffer][] = [
  ["MP3 with ID3v2.4", () => Buffer.concat([id3v2([["APIC", pictureFrame(red)]]), encode("mp3cbr")])],
  ["MP3 with ID3v2.3", () => Buffer.concat([id3v2([["APIC", pictureFrame(red)]], { version: 3 }), encode("mp3cbr")])],
  ["ADTS with ID3v2", () => Buffer.concat([id3v2([["APIC", pictureFrame(red)]]), encode("adts")])],
  ["FLAC", () => withFlacBlocks(encode("flac16"), [[6, flacPicture(red)]])],
  ["Ogg Vorbis", () => encode("vorbis", { METADATA_BLOCK_PICTURE: flacPicture(red).toString("base64") })],
  ["Ogg Opus", () => encode("opus", { METADATA_BLOCK_PICTURE: flacPicture(red).toString("base64") })],
  ["MP4", () => withMp4Tags(encode("alac16"), [mp4Tag("covr", mp4Data(red, 13))])],
  ["WAV with an ID3 chunk", () => withChunk(encode("wav16"), "id3 ", id3v2([["APIC", pictureFrame(red)]]))],
  ["AIFF with an ID3 chunk", () => withChunk(encode("aiff16"), "ID3 ", id3v2([["APIC", pictureFrame(red)]]))],
  ["WavPack with APEv2", () => Buffer.concat([encodeWavPack(), apeV2([["Cover Art (Front)", Buffer.concat([Buffer.from("cover.jpg\0"), red])]])])],
  ["Matroska", () => withMatroskaAttachment(encode("webmLive"), red, "cover.jpg", "image/jpeg")],
];

test.each(FORMATS)("%s", async (_, file) => {
  expect(await coverColor(file())).toBe("red");
});

const tagged = (...frames: Buffer[]): Buffer => Buffer.concat([id3v2(frames.map((frame) => ["APIC", frame])), encode("mp3cbr")]);

test("the front cover wins over other pictures, and any picture over an icon", async () => {
  expect(await coverColor(tagged(pictureFrame(blue, "image/jpeg", 4), pictureFrame(red, "image/jpeg", 3)))).toBe("red");
  expect(await coverColor(tagged(pictureFrame(blue, "image/png", 1), pictureFrame(red, "image/jpeg", 8)))).toBe("red");
});

test("a picture of any shape becomes a square", async () => {
  for (const size of [
    [900, 300],
    [3, 2],
    [1, 1],
  ] as const)
    expect(await coverColor(tagged(pictureFrame(await picture(RED, "png", ...size), "image/png")))).toBe("red");
});

describe("a picture that cannot be shown leaves the sound as it is, and gives way to one that can", () => {
  const BAD: [description: string, picture: () => Buffer | Promise<Buffer>][] = [
    ["too many pixels", () => hugePng(30_000, 30_000)],
    ["truncated", () => red.subarray(0, 200)],
    ["empty", () => Buffer.alloc(0)],
    ["no picture", () => Buffer.from("just text, and some more of it")],
    ["SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')],
    ["random bytes behind a signature", () => Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(500, 7)])],
    [
      "TIFF",
      () =>
        sharp({ create: { width: 60, height: 60, channels: 3, background: RED } })
          .tiff()
          .toBuffer(),
    ],
  ];
  test.each(BAD)("%s", async (_, create) => {
    const bad = await create();
    expect(await coverColor(tagged(pictureFrame(bad)))).toBeNull();
    expect(await coverColor(tagged(pictureFrame(bad), pictureFrame(blue, "image/jpeg", 4)))).toBe("blue");
    expect(await coverColor(withFlacBlocks(encode("flac16"), [[6, flacPicture(bad)]]))).toBeNull();
    expect(await coverColor(withMp4Tags(encode("alac16"), [mp4Tag("covr", mp4Data(bad, 13))]))).toBeNull();
  });
  test("declared larger than the file", async () => {
    expect(await coverColor(Buffer.concat([id3v2([["APIC", pictureFrame(red)]], { declaredSize: 200_000_000 }), encode("mp3cbr")]))).toBeNull();
    expect(await coverColor(withFlacBlocks(encode("flac16"), [[6, flacPicture(red, "image/jpeg", 3, 1_000_000_000)]]))).toBeNull();
  });
});

test("a file without a picture has no thumbnail, in any format", async () => {
  for (const recipe of Object.keys(RECIPES) as RecipeName[]) expect(await coverColor(encode(recipe)), recipe).toBeNull();
});
