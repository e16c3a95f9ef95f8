/** Tags written into real files are read back by another program, and the audio data stays as it is to the bit. */
import { parseBuffer } from "music-metadata";
import { expect, test } from "vitest";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { seeded } from "../testing/random.ts";
import { createChunk } from "./chunks.ts";
import { sourceOf, TAGS, write, written } from "./copies.fixture.ts";
import type { Piece } from "./types.ts";
import { planTaggedCopy } from "./write-tags.ts";

const song = testSong(2);
const chunkOf = (bytes: Buffer, id: string): Buffer => {
  const start = bytes.indexOf(id, 12, "latin1");
  return bytes.subarray(start + 8, start + 8 + bytes.readUInt32LE(start + 4));
};

test.each([
  ["wav16", "audio/wav"],
  ["wav24", "audio/wav"],
  ["mp3cbr", "audio/mpeg"],
  ["flac16", "audio/flac"],
  ["aiff16", "audio/aiff"],
] as const)("%s carries the tags, also when they are written twice", async (recipe, mediaType) => {
  const original = encodeAudio(recipe, song, 44_100);
  const once = await written(original, mediaType);
  const twice = await written(once, mediaType);
  expect(twice.length).toBe(once.length);
  for (const copy of [once, twice]) {
    const { common, format } = await parseBuffer(copy, { mimeType: mediaType });
    // RIFF INFO names no encoding: the copy has UTF-8, as the media engine writes, and this reader takes it for Latin-1.
    expect(mediaType === "audio/wav" ? Buffer.from(common.title ?? "", "latin1").toString() : common.title).toBe("Nachtfahrt é");
    expect(common.artist).toBe("Lina & Co");
    expect(common.date ?? String(common.year)).toContain("2026");
    expect(format.sampleRate).toBe(44_100);
    if (mediaType !== "audio/wav") expect(common.isrc).toEqual(["GBABC2600002"]);
    expect(copy.includes("Mia")).toBe(true);
  }
});

test("a WAV keeps its samples and every other chunk, and has the ISRC in axml and all tags in iXML", async () => {
  const plain = encodeAudio("wav16", song, 44_100);
  const bext = createChunk("bext", Buffer.alloc(603, 7), "little");
  const cue = createChunk("cue ", Buffer.alloc(28, 3), "little");
  const original = Buffer.concat([plain, bext, cue]);
  original.writeUInt32LE(original.length - 8, 4);
  const copy = await written(original, "audio/wav");
  expect(copy.readUInt32LE(4)).toBe(copy.length - 8);
  expect(chunkOf(copy, "data").equals(chunkOf(original, "data"))).toBe(true);
  expect(copy.includes(bext)).toBe(true);
  expect(copy.includes(cue)).toBe(true);
  expect(chunkOf(copy, "axml").toString()).toContain("ISRC:GBABC2600002");
  expect(chunkOf(copy, "iXML").toString()).toContain("artist=Lina &amp; Co");
});

test("an iXML document and INFO that the file has keep what is not set anew", async () => {
  const plain = encodeAudio("wav16", song, 44_100);
  const info = createChunk("LIST", Buffer.concat([Buffer.from("INFO"), createChunk("IENG", Buffer.from("Ada\0"), "little")]), "little");
  const ixml = createChunk("iXML", Buffer.from("<BWFXML><SCENE>12</SCENE></BWFXML>"), "little");
  const original = Buffer.concat([plain, info, ixml]);
  original.writeUInt32LE(original.length - 8, 4);
  const copy = await written(original, "audio/wav");
  expect(chunkOf(copy, "iXML").toString()).toContain("<SCENE>12</SCENE>");
  expect(copy.includes(createChunk("IENG", Buffer.from("Ada\0"), "little"))).toBe(true);
});

test("an MP3 keeps frames that are not set anew, and its audio", async () => {
  const original = encodeAudio("mp3cbr", song, 44_100);
  const first = await written(original, "audio/mpeg", [
    { name: "title", value: "Old" },
    { name: "Label", value: "Kept" },
  ]);
  const copy = await written(first, "audio/mpeg", [{ name: "title", value: "New" }]);
  expect(copy.includes("Old")).toBe(false);
  expect(copy.includes("Kept")).toBe(true);
  const audio = original.subarray(original.indexOf(Buffer.from([0xff, 0xfb])));
  expect(copy.subarray(copy.length - audio.length).equals(audio)).toBe(true);
});

test("a FLAC keeps its frames", async () => {
  const original = encodeAudio("flac16", song, 44_100);
  const copy = await written(original, "audio/flac");
  const frames = original.subarray(original.lastIndexOf(Buffer.from([0xff, 0xf8])));
  expect(copy.subarray(copy.length - frames.length).equals(frames)).toBe(true);
});

const short = testSong(0.05);
const bare = encodeAudio("wav16", short, 44_100);
const rf64 = Buffer.concat([Buffer.from("RF64\xff\xff\xff\xffWAVE", "latin1"), createChunk("ds64", Buffer.alloc(28), "little"), bare.subarray(12)]);
rf64.writeBigUInt64LE(BigInt(bare.readUInt32LE(bare.indexOf("data") + 4)), 28);
const extended = Buffer.concat([Buffer.from("ID3\x03\0\x40\0\0\0\x02\0\0", "latin1"), encodeAudio("mp3cbr", short, 44_100).subarray(45)]);

test.each([
  ["wav", bare, "audio/wav"],
  ["rf64", rf64, "audio/wav"],
  ["aiff", encodeAudio("aiff16", short, 44_100), "audio/aiff"],
  ["flac", encodeAudio("flac16", short, 44_100), "audio/flac"],
  ["mp3", encodeAudio("mp3cbr", short, 44_100), "audio/mpeg"],
  ["mp3 with an extended header", extended, "audio/mpeg"],
])("%s with any bytes changed is copied in full or refused", async (name, original, mediaType) => {
  const tagged = (await write(original, mediaType)) ?? original;
  const random = seeded(name.length);
  // Lengths and flags, near the beginning of the file and of its tags, decide how a file is read.
  const starts = [0, ...["ID3", "iXML", "LIST", "axml", "ds64", "data"].map((id) => tagged.indexOf(id)).filter((start) => start > 0)];
  const outside: Piece[] = [];
  for (let round = 0; round < 2_000; round += 1) {
    const damaged = Buffer.from(tagged.subarray(0, round % 5 === 0 ? Math.floor(random.next() * tagged.length) : tagged.length));
    const start = starts[round % starts.length] ?? 0;
    for (let count = 0; count < 3; count += 1) {
      const offset = start + Math.floor(random.next() * 120);
      if (offset < damaged.length) damaged[offset] = Math.floor(random.next() * 256);
    }
    const pieces = await planTaggedCopy(sourceOf(damaged), mediaType, TAGS);
    outside.push(...(pieces ?? []).filter((piece) => !Buffer.isBuffer(piece) && (piece.start > piece.end || piece.end > damaged.length)));
  }
  expect(outside).toEqual([]);
});

test("damaged files and other formats are refused", async () => {
  const wav = encodeAudio("wav16", song, 44_100);
  expect(await write(wav.subarray(0, wav.length - 100), "audio/wav")).toBeNull();
  expect(await write(Buffer.from("fLaC\x80\xff\xff\xff"), "audio/flac")).toBeNull();
  expect(await write(Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f"), "audio/mpeg")).toBeNull();
  expect(await write(Buffer.from("FORM\0\0\0\x20AIFFCOMM\xff\xff\xff\xff"), "audio/aiff")).toBeNull();
  const withoutLength = Buffer.concat([Buffer.from("RF64\xff\xff\xff\xffWAVE", "latin1"), createChunk("ds64", Buffer.alloc(0), "little"), bare.subarray(12)]);
  expect(await write(withoutLength, "audio/wav")).toBeNull();
  expect(await write(Buffer.from("OggS"), "audio/ogg")).toBeNull();
  expect(await write(Buffer.alloc(0), "audio/wav")).toBeNull();
});
