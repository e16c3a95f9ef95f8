/** Comments of Ogg Vorbis and Opus: other programs read them, and every sample, stream and comment that is not set anew stays. */
import { parseBuffer } from "music-metadata";
import { describe, expect, test } from "vitest";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { seeded } from "../testing/random.ts";
import { decode, join, sourceOf, TAGS, write, written } from "./copies.fixture.ts";
import { pageChecksum } from "./ogg-pages.ts";
import type { Tag } from "./types.ts";
import { planTaggedCopy } from "./write-tags.ts";

const OGG = "audio/ogg";
const song = testSong(3, { rate: 48_000 });
const FILES = { vorbis: encodeAudio("vorbis", song, 48_000), opus: encodeAudio("opus", song, 48_000) };
/** Too much for one page. */
const LONG: Tag[] = Array.from({ length: 120 }, (_, index) => ({ name: `Field ${index}`, value: `${index} é `.repeat(400) }));
const SHORT = LONG.map(({ name }) => ({ name, value: "x" }));

interface Page {
  serial: number;
  sequence: number;
  flags: number;
  bytes: Buffer;
}
/** A reader of its own: throws where something else than a page begins. */
function pagesOf(bytes: Buffer): Page[] {
  const pages: Page[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes.toString("latin1", at, at + 4) !== "OggS") throw new Error(`There is no page at ${at}`);
    const segments = bytes.subarray(at + 27, at + 27 + bytes[at + 26]!);
    const end = segments.reduce((sum, length) => sum + length, at + 27 + segments.length);
    pages.push({ serial: bytes.readUInt32LE(at + 14), sequence: bytes.readUInt32LE(at + 18), flags: bytes[at + 5]!, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return pages;
}
const withoutNumber = ({ bytes }: Page): string => Buffer.concat([bytes.subarray(0, 18), bytes.subarray(26)]).toString("base64");
const sequencesOf = (pages: readonly Page[]): number[] => pages.map(({ sequence }) => sequence);
/** Makes damaged pages valid as far as pages can be found. */
function repairChecksums(bytes: Buffer): void {
  for (let at = bytes.indexOf("OggS"); at !== -1 && at + 27 <= bytes.length; at = bytes.indexOf("OggS", at + 4)) {
    const segments = bytes.subarray(at + 27, at + 27 + bytes[at + 26]!);
    const end = segments.reduce((sum, length) => sum + length, at + 27 + segments.length);
    if (end <= bytes.length) bytes.writeUInt32LE(pageChecksum(bytes.subarray(at, end)), at + 22);
  }
}
const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe.each(["vorbis", "opus"] as const)("%s", (name) => {
  const original = FILES[name];

  test("carries the tags, also when they are written twice, and sounds the same", async () => {
    const once = await written(original, OGG);
    const twice = await written(once, OGG);
    expect(twice.equals(once)).toBe(true);
    const { common, native } = await parseBuffer(once, { mimeType: OGG });
    expect(common).toMatchObject({ title: "Nachtfahrt é", artist: "Lina & Co", isrc: ["GBABC2600002"], date: "2026-03-02" });
    expect(native.vorbis).toContainEqual({ id: "MIX ENGINEER", value: "Mia" });
    expect(await decode(once)).toEqual(await decode(original));
    expect(pagesOf(once).slice(2).map(withoutNumber)).toEqual(pagesOf(original).slice(2).map(withoutNumber));
  });

  test("has comments that need several pages, and later pages are numbered anew", async () => {
    const long = await written(original, OGG, LONG);
    const [before, after] = [pagesOf(original), pagesOf(long)];
    const added = after.length - before.length;
    expect(added).toBeGreaterThan(3);
    expect(sequencesOf(after)).toEqual(count(after.length));
    expect(after.slice(2 + added).map(withoutNumber)).toEqual(before.slice(2).map(withoutNumber));
    const { native } = await parseBuffer(long, { mimeType: OGG });
    for (const { name: id, value } of LONG) expect(native.vorbis).toContainEqual({ id: id.toUpperCase(), value });
    expect(await decode(long)).toEqual(await decode(original));
    for (const chunkBytes of [997, 70_001]) expect((await written(original, OGG, LONG, chunkBytes)).equals(long)).toBe(true);

    const short = await written(long, OGG, SHORT);
    expect(short.length).toBeLessThan(original.length + 5_000);
    expect(sequencesOf(pagesOf(short))).toEqual(count(pagesOf(short).length));
    expect(await decode(short)).toEqual(await decode(original));
  });

  test("keeps comments that are not set anew", async () => {
    const first = await written(original, OGG, [
      { name: "title", value: "Old" },
      { name: "R128_TRACK_GAIN", value: "-512" },
    ]);
    const { native } = await parseBuffer(await written(first, OGG, [{ name: "title", value: "New" }]), { mimeType: OGG });
    expect(native.vorbis?.filter(({ id }) => id === "TITLE")).toEqual([{ id: "TITLE", value: "New" }]);
    expect(native.vorbis).toContainEqual({ id: "R128_TRACK_GAIN", value: "-512" });
  });

  test("with a second stream behind it keeps that one as it is, also with the same serial number", async () => {
    const chained = Buffer.concat([original, original]);
    const copy = await written(chained, OGG, LONG);
    expect(copy.equals(Buffer.concat([await written(original, OGG, LONG), original]))).toBe(true);
  });

  test("that is damaged in its header is refused", async () => {
    const second = pagesOf(original)[0]!.bytes.length;
    for (const [offset, byte, isValid] of [
      [5, 0, true],
      [22, original[22]! ^ 1, false],
      [second + 5, 1, true],
      [second + 5, 2, true],
      [second + 6, 9, true],
      [second + 14, original[second + 14]! ^ 1, true],
      [second + 18, 9, true],
      [second + 40, original[second + 40]! ^ 1, false],
    ] as const) {
      const damaged = Buffer.from(original);
      damaged[offset] = byte;
      if (isValid) repairChecksums(damaged);
      expect(await write(damaged, OGG)).toBeNull();
    }
    for (const length of [4, 27, second - 1, second, second + 27, second + 60]) expect(await write(original.subarray(0, length), OGG)).toBeNull();
  });

  test("that is damaged in its audio is copied with the damage, and no other page becomes invalid", async () => {
    const pages = pagesOf(original);
    const damaged = Buffer.from(original);
    const at = original.length - pages.at(-1)!.bytes.length;
    damaged[original.length - 1] = damaged[original.length - 1]! ^ 1;
    const copy = await written(damaged, OGG, LONG);
    expect(pagesOf(copy).at(-1)?.bytes.equals(damaged.subarray(at))).toBe(true);
    const truncated = damaged.subarray(0, at + 60);
    expect((await written(truncated, OGG, LONG)).subarray(-60).equals(truncated.subarray(-60))).toBe(true);
    const garbage = Buffer.concat([original.subarray(0, at), Buffer.from("no page"), original.subarray(at)]);
    expect((await written(garbage, OGG, LONG)).subarray(-(original.length - at + 7)).equals(garbage.subarray(at))).toBe(true);
  });

  test("with any bytes changed is copied in full or refused", async () => {
    const tagged = await written(original, OGG);
    const random = seeded(name.length);
    for (let round = 0; round < 1_500; round += 1) {
      const damaged = Buffer.from(tagged.subarray(0, round % 5 === 0 ? Math.floor(random.next() * tagged.length) : tagged.length));
      for (let changes = 0; changes < 2; changes += 1) damaged[Math.floor(random.next() * 300)] = Math.floor(random.next() * 256);
      if (round % 3 > 0) repairChecksums(damaged);
      const pieces = await planTaggedCopy(sourceOf(damaged), OGG, round % 2 === 0 ? TAGS : LONG);
      if (!pieces) continue;
      const length = pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start), 0);
      expect((await join(damaged, pieces)).length).toBe(length);
    }
  });
});

test.each([
  ["short", "long"],
  ["long", "short"],
] as const)("of several streams at once, the first one with audio gets the tags, and the others stay: %s comments become %s", async (before, after) => {
  const tags = { short: SHORT, long: LONG };
  const target = await written(FILES.vorbis, OGG, tags[before]);
  const [[firstVorbis, ...laterVorbis], [firstOpus, ...laterOpus]] = [pagesOf(target), pagesOf(FILES.opus)];
  expect(firstVorbis!.serial).not.toBe(firstOpus!.serial);
  const mixed = [firstVorbis!, firstOpus!];
  while (laterVorbis.length > 0 || laterOpus.length > 0) mixed.push(...laterVorbis.splice(0, 2), ...laterOpus.splice(0, 1));
  const copy = pagesOf(await written(Buffer.concat(mixed.map(({ bytes }) => bytes)), OGG, tags[after]));
  const streamOf = (serial: number) => Buffer.concat(copy.filter((page) => page.serial === serial).map(({ bytes }) => bytes));
  expect(streamOf(firstOpus!.serial).equals(FILES.opus)).toBe(true);
  expect(streamOf(firstVorbis!.serial).equals(await written(target, OGG, tags[after]))).toBe(true);
});

test("a stream that begins between the pages of the comments stays", async () => {
  const target = await written(FILES.vorbis, OGG, LONG);
  const [first, comments, ...later] = pagesOf(target);
  expect(later[0]!.flags & 1).toBe(1);
  const mixed = Buffer.concat([first!, comments!, ...pagesOf(FILES.opus), ...later].map(({ bytes }) => bytes));
  for (const tags of [SHORT, LONG]) {
    const copy = pagesOf(await written(mixed, OGG, tags));
    const streamOf = (isOpus: boolean) => Buffer.concat(copy.filter(({ serial }) => (serial === first!.serial) !== isOpus).map(({ bytes }) => bytes));
    expect(streamOf(true).equals(FILES.opus)).toBe(true);
    expect(streamOf(false).equals(await written(target, OGG, tags))).toBe(true);
  }
});

test("pages of other streams are sent together, and too many of them are refused", async () => {
  const target = await written(FILES.vorbis, OGG, LONG);
  const [first, comments, ...later] = pagesOf(target).map(({ bytes }) => bytes);
  const empty = Buffer.from(comments!.subarray(0, 27));
  [empty[5], empty[26]] = [0, 0];
  empty.writeUInt32LE(1, 14);
  empty.writeUInt32LE(pageChecksum(empty), 22);
  const plan = (pages: number) => planTaggedCopy(sourceOf(Buffer.concat([first!, comments!, ...Array<Buffer>(pages).fill(empty), ...later])), OGG, SHORT);
  expect((await plan(9_000))?.length).toBeLessThan(20);
  expect(await plan(11_000)).toBeNull();
});

test("a stream that ends with its header does not change the one behind it with the same serial number", async () => {
  const header = Buffer.concat(
    pagesOf(FILES.opus)
      .slice(0, 2)
      .map(({ bytes }) => bytes),
  );
  header[pagesOf(header)[0]!.bytes.length + 5] = 4;
  repairChecksums(header);
  const copy = await written(Buffer.concat([header, FILES.opus]), OGG, LONG);
  expect(copy.subarray(-FILES.opus.length).equals(FILES.opus)).toBe(true);
  expect(pagesOf(copy.subarray(0, -FILES.opus.length)).length).toBeGreaterThan(3);
});

test("other codecs in Ogg are refused", async () => {
  const speex = Buffer.from(FILES.opus);
  speex.write("Speex   ", 28);
  repairChecksums(speex);
  expect(await write(speex, OGG)).toBeNull();
});
