import { readFileSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile } from "../testing/formats.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { encodeTone, LEADING_PARTS, silentApe, silentLayerOne, TONE_FORMATS, type ToneFormat, UNRELATED_PARTS } from "../testing/leading-bytes.ts";
import { randomBytes } from "../testing/random.ts";
import { sine } from "../testing/signals.ts";
import { detectKind } from "./detect-kind.ts";
import { recognize } from "./recognize.ts";
import { UNREADABLE } from "./signatures.ts";

let folder: ReturnType<typeof createTestFolder>;
beforeAll(() => void (folder = createTestFolder()));
afterAll(() => folder[Symbol.dispose]());

const SECONDS = 0.4;

function write(...parts: readonly Buffer[]): string {
  const path = folder.resolve("file");
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

const typeOf = (...parts: readonly Buffer[]): string => recognize(write(...parts)).type;

const encode = (format: string): Buffer =>
  format === "ape" ? silentApe() : format === "layer1" ? silentLayerOne(40) : encodeTone(folder.resolve("tone"), format as ToneFormat, SECONDS);

async function probe(path: string) {
  const { probe: found } = await runStepsInProcess(path, folder.path, ["probe"]);
  return { encoding: found!.audio?.encoding, samples: found!.audio?.samples, title: (JSON.parse(found!.annotations) as { title?: string }).title };
}

/** FLAC has tags of its own, and FFmpeg reads no others then. */
const HAS_OWN_TAGS = new Set(["flac"]);
/** Formats whose beginning is not searched among unrelated bytes. */
const NOT_SEARCHED = new Set(["tta", "wavpack", "matroska", "ape", "layer1"]);

describe("sound is found behind what stands in front of it, with all its samples", () => {
  test.each([...TONE_FORMATS, "ape", "layer1"])("%s", async (format) => {
    const sound = encode(format);
    const bare = await probe(write(sound));
    expect(bare.samples).toBeGreaterThan(10_000);
    const type = typeOf(sound);
    const unrelated = NOT_SEARCHED.has(format) ? [] : Object.entries(UNRELATED_PARTS);
    for (const [name, part] of [...Object.entries(LEADING_PARTS), ...unrelated]) {
      const path = write(part, sound);
      expect(recognize(path), name).toMatchObject({ kind: "media", type });
      expect(await detectKind(path), name).toBe("audio");
      const found = await probe(path);
      expect(found, name).toMatchObject({ encoding: bare.encoding, samples: bare.samples });
      if (name.includes("ID3") && !HAS_OWN_TAGS.has(format)) expect(found.title, name).toBe("In front");
    }
  });

  test("sounds of a few frames", async () => {
    const mp3 = encodeTone(folder.resolve("tone"), "mp3bare", 0.12);
    expect(mp3.length).toBeLessThan(4_000);
    const { samples } = await probe(write(mp3));
    const id3v1 = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125)]);
    for (const parts of [
      [randomBytes(500), mp3],
      [randomBytes(500), mp3, id3v1],
    ])
      expect(await probe(write(...parts))).toMatchObject({ encoding: "mp3", samples });
    expect(typeOf(randomBytes(500), mp3.subarray(0, mp3.length - 100))).toBe("mpeg-audio");
    // At 192 kb/s and 48 kHz.
    const frame = mp3.subarray(0, 576);
    for (const parts of [[frame], [frame, id3v1]]) expect(typeOf(...parts)).toBe("mpeg-audio");
  });

  test("FLAC frames without a header", async () => {
    const flac = encode("flac");
    const bare = await probe(write(flac));
    const frames = flac.subarray(flac.indexOf(Buffer.from([0xff, 0xf8])));
    for (const part of [Buffer.alloc(0), randomBytes(1_000)])
      expect(await probe(write(part, frames))).toMatchObject({ encoding: "flac", samples: bare.samples });
  });

  test("what the engine cannot read is refused by its name", async () => {
    const rifx = Buffer.from("RIFX\0\0\0\x24WAVEfmt \0\0\0\x10", "latin1");
    encodeFile(folder.resolve("m4a"), "m4a", [sine(440, 0.3, 0.2, 44_100)], 44_100);
    const m4a = readFileSync(folder.resolve("m4a"));
    for (const [parts, text] of [
      [[rifx], UNREADABLE["rifx"]],
      [
        [Buffer.alloc(1_000 * 10, Buffer.concat([Buffer.from([0xff, 0xfb, 0x00, 0x64]), Buffer.alloc(996)]))],
        "MPEG audio without a declared bit rate (free format) is not supported.",
      ],
      [[LEADING_PARTS["an ID3v2 tag"]!, m4a], UNREADABLE["shifted-mp4"]],
    ] as const) {
      const path = write(...parts);
      expect(await detectKind(path)).toBe("audio");
      await expect(probe(path)).rejects.toMatchObject({ code: "not-supported", message: text });
    }
  });

  test("a WAV that was cut is said to be, behind a tag too", async () => {
    const wav = encode("wav");
    const path = write(LEADING_PARTS["an ID3v2 tag"]!, wav.subarray(0, wav.length / 2));
    const { probe: found } = await runStepsInProcess(path, folder.path, ["probe"]);
    expect(found!.notes).toMatchObject([{ code: "ends-early" }]);
  });

  test("browsers get a copy, which has all samples", async () => {
    for (const format of ["mp3", "wav", "opus"] as const) {
      const sound = encode(format);
      const { samples } = await probe(write(sound));
      const { copy } = await runStepsInProcess(write(randomBytes(5_000), sound), folder.path, ["probe", "copy"]);
      expect(copy, format).not.toBeNull();
      expect(recognize(folder.resolve(copy!.file)).offset).toBe(0);
      expect((await probe(folder.resolve(copy!.file))).samples, format).toBe(samples);
    }
  });
});

test("MPEG audio of layer I is not taken for UTF-16 text, nor text of any length for it", () => {
  expect(typeOf(silentLayerOne(2))).toBe("mpeg-audio");
  // Each first letter reads as another length of a frame, at which a text may end.
  for (let letter = 0x20; letter < 0x100; letter += 6)
    for (let length = 8; length < 700; length += 97) {
      for (const more of [0, 2, 4]) expect(recognizeText(letter, length + more)).toBe("text");
    }
  for (const [letter, bytes] of FRAME_LENGTHS) expect(recognizeText(letter.charCodeAt(0), (bytes - 2) / 2)).toBe("text");
});

/** First letters of a text, with the size in bytes of the frame of layer I that they would declare. */
const FRAME_LENGTHS = [
  ["H", 192],
  ["D", 128],
  ["E", 128],
  ["A", 136],
  ["4", 96],
  ["q", 240],
] as const;

const recognizeText = (firstLetter: number, letters: number): string =>
  typeOf(Buffer.from(`\uFEFF${String.fromCharCode(firstLetter)}${"a".repeat(letters - 1)}`, "utf16le"));

describe("what is no sound stays a document", () => {
  const expectDocument = async (name: string, ...parts: readonly Buffer[]): Promise<void> => {
    const path = write(...parts);
    expect(recognize(path), name).toMatchObject({ kind: "document", demuxer: null });
    expect(await detectKind(path), name).toBe("document");
  };

  test("random bytes, also with beginnings of frames and containers", async () => {
    const beginnings = ["", "\xff\xfb\x90\x64", "\xff\xf1\x50\x80", "\x0b\x77", "\xff\xf8\xc9\x18", "ID3\x04\0\0\0\0\x02\0", "\xff\xfe", "\0\0\0\0"];
    for (let seed = 1; seed <= 200; seed += 1) {
      const beginning = Buffer.from(beginnings[seed % beginnings.length]!, "latin1");
      // The byte order mark of UTF-16 makes text of anything.
      const rest = randomBytes(seed * 10 + (seed % 40 === 0 ? 100_000 : 0), seed);
      await expectDocument(`seed ${seed}`, beginning, Buffer.from([0x80]), rest);
    }
  });

  test("a document that contains a short sound", async () => {
    const wav = encode("wav");
    const mp3 = encode("mp3");
    const ogg = encode("vorbis");
    for (const sound of [wav, mp3, ogg, encode("flac"), encode("adts")]) {
      for (const head of ["%PDF-1.7\n1 0 obj\n", "PK\x03\x04\x14\0", "\x7fELF\x02\x01\x01", "MZ\x90\0", "CWS\x09", "SQLite format 3\0", "!<arch>\nlib.o/"])
        await expectDocument(head, Buffer.from(head, "latin1"), sound);
      await expectDocument("an unknown format", randomBytes(2_000), sound, randomBytes(sound.length * 2 + 300_000));
    }
    const tar = Buffer.alloc(512);
    tar.write("song.wav");
    tar.write("ustar", 257);
    await expectDocument("a tar archive", tar, wav);
  });

  test("text about formats", async () => {
    for (const text of ["MAC addresses", "Carefree days", "caffeine", "RIFF....WAVEfmt ", "fLaC, OggS, ID3", "#EXTM3U\na.mp3"])
      await expectDocument(text, Buffer.from(`${text}\n${"and so on ".repeat(1_000)}`));
  });

  test("what repeats like frames: relocations of a program and rows of a picture", async () => {
    // Reads as MPEG audio, layer I, in frames of 32 bytes.
    const relocation = Buffer.concat([Buffer.from([0xff, 0xff, 0x14, 0x04]), Buffer.alloc(28, 0x01)]);
    await expectDocument("relocations", Buffer.alloc(1_000, 0x02), Buffer.alloc(32 * 2_000, relocation));
    // Reads as MPEG 2.5, layer II, which does not exist, in frames of 1920 bytes.
    const row = Buffer.concat([Buffer.from([0xff, 0xe4, 0xe4, 0xe4]), Buffer.alloc(1_916, 0x7f)]);
    await expectDocument("a picture", Buffer.alloc(1_000, 0x02), Buffer.alloc(1_920 * 40, row));
  });

  test("an image stays one with a sound behind it", async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#808080" } })
      .png()
      .toBuffer();
    expect(recognize(write(png, encode("mp3")))).toMatchObject({ kind: "image", type: "png" });
  });
});

/** Milliseconds of the fastest of three runs, on this thread alone: what else this process does must not count. */
function measureRecognition(path: string): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    recognize(path);
    return process.threadCpuUsage(before).user / 1_000;
  });
  return Math.min(...times);
}

test("a file made of false beginnings takes no longer than others", () => {
  const fakes = {
    "headers of MPEG audio": Buffer.from([0xff, 0xfb, 0x10, 0x00]),
    // The last byte is the checksum of the others.
    "headers of FLAC": Buffer.from([0xff, 0xf8, 0xc9, 0x18, 0x05, 0xd9]),
    "Ogg pages": Buffer.from("OggS\0\x02\0\0\0\0\0\0\0\0", "latin1"),
    "ID3v2 tags": Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1"),
    zeros: Buffer.from([0]),
    "first letters": Buffer.from("R"),
    "other first letters": Buffer.from("f"),
    "first words": Buffer.from("RIFF"),
  };
  for (const [name, fake] of Object.entries(fakes)) {
    for (const start of [Buffer.alloc(0), Buffer.from([1, 2]), LEADING_PARTS["an ID3v2 tag"]!]) {
      const path = write(start, Buffer.alloc(3_000_000, fake));
      expect(measureRecognition(path), name).toBeLessThan(200);
    }
  }
});
