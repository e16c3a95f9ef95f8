/** Tags of M4A: other programs read them, every sample and everything that is not set anew stays, and offsets follow the audio. */
import { parseBuffer } from "music-metadata";
import { expect, test } from "vitest";
import { encodeAudio, encodeOddFile, testSong } from "../../testing/audio.ts";
import { seeded } from "../testing/random.ts";
import { mp4Data, mp4FreeTag, mp4Tag, withMp4Tags } from "../testing/tagged.ts";
import { decode, join, sourceOf, TAGS, write, written } from "./copies.fixture.ts";
import type { Tag } from "./types.ts";
import { planTaggedCopy } from "./write-tags.ts";

const MP4 = "audio/mp4";
const song = testSong(3);
const [aac, alac] = [encodeAudio("m4a", song, 44_100), encodeAudio("alac16", song, 44_100)];
const LONG: Tag[] = Array.from({ length: 40 }, (_, index) => ({ name: `Field ${index}`, value: `${index} é `.repeat(400) }));

const boxStart = (bytes: Buffer, type: string): number => bytes.indexOf(type, 0, "latin1") - 4;
const boxOf = (bytes: Buffer, type: string): Buffer => {
  const start = boxStart(bytes, type);
  return bytes.subarray(start, start + bytes.readUInt32BE(start));
};
/** Returns a file with `bytes` at `at`, and with the boxes around them longer. */
function insert(file: Buffer, at: number, bytes: Buffer, parents: readonly string[]): Buffer {
  const copy = Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
  for (const type of parents) copy.writeUInt32BE(copy.readUInt32BE(boxStart(copy, type)) + bytes.length, boxStart(copy, type));
  return copy;
}
/** Gives a file with its index first 64-bit offsets. */
function withLongOffsets(file: Buffer): Buffer {
  const table = boxOf(file, "stco");
  const count = table.readUInt32BE(12);
  const longer = Buffer.alloc(count * 4);
  const copy = insert(file, boxStart(file, "stco") + table.length, longer, ["moov", "trak", "mdia", "minf", "stbl", "stco"]);
  const start = boxStart(copy, "stco");
  copy.write("co64", start + 4);
  for (let index = 0; index < count; index += 1) copy.writeBigUInt64BE(BigInt(table.readUInt32BE(16 + index * 4) + longer.length), start + 16 + index * 8);
  return copy;
}
const longAac = withLongOffsets(aac);

test("the files of these tests have their index first, last, and with long offsets", async () => {
  expect(boxStart(aac, "moov")).toBeLessThan(boxStart(aac, "mdat"));
  expect(boxStart(alac, "moov")).toBeGreaterThan(boxStart(alac, "mdat"));
  expect(await decode(longAac)).toEqual(await decode(aac));
});

test.each([
  ["AAC, index first", aac],
  ["AAC, index first, long offsets", longAac],
  ["ALAC, index last", alac],
  ["Opus", encodeOddFile("Opus in MP4", testSong(2, { rate: 48_000 }), 48_000)],
  ["FLAC", encodeOddFile("FLAC in MP4", testSong(2), 44_100)],
])("%s carries the tags, also when they are written twice and are long, and sounds the same", async (_title, original) => {
  const once = await written(original, MP4);
  expect((await written(once, MP4)).equals(once)).toBe(true);
  const long = await written(once, MP4, LONG);
  for (const copy of [once, long]) {
    const { common, native } = await parseBuffer(copy, { mimeType: MP4 });
    expect(common).toMatchObject({ title: "Nachtfahrt é", artist: "Lina & Co", isrc: ["GBABC2600002"], date: "2026-03-02" });
    expect(native.iTunes).toContainEqual({ id: "----:com.apple.iTunes:Mix engineer", value: "Mia" });
    expect(await decode(copy)).toEqual(await decode(original));
    expect(boxOf(copy, "mdat").equals(boxOf(original, "mdat"))).toBe(true);
  }
  const { native } = await parseBuffer(long, { mimeType: MP4 });
  for (const { name, value } of LONG) expect(native.iTunes).toContainEqual({ id: `----:com.apple.iTunes:${name}`, value });
  const short = await written(
    long,
    MP4,
    LONG.map(({ name }) => ({ name, value: "x" })),
  );
  expect(await decode(short)).toEqual(await decode(original));
});

test("tags and boxes that are not set anew stay, and those that are set anew are replaced in every form", async () => {
  const withoutTags = Buffer.from(alac);
  withoutTags.write("skip", boxStart(withoutTags, "udta") + 4);
  const original = withMp4Tags(withoutTags, [
    mp4Tag("\xa9nam", mp4Data("Old")),
    mp4Tag("\xa9too", mp4Data("Encoder")),
    mp4Tag("gnre", mp4Data(Buffer.from([0, 3]), 0)),
    mp4Tag("tmpo", mp4Data(Buffer.from([0, 90]), 21)),
    mp4FreeTag("isrc", mp4Data("GBABC2600001")),
    mp4FreeTag("LABEL", mp4Data("Kept")),
    mp4Tag("covr", mp4Data(Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]), 13)),
  ]);
  const tags: Tag[] = [
    { name: "title", value: "New" },
    { name: "genre", value: "Ambient" },
    { name: "bpm", value: "118.5" },
    { name: "key", value: "Am" },
    { name: "isrc", value: "GB-ABC-26-00002" },
  ];
  const copy = await written(original, MP4, tags);
  const { native, common } = await parseBuffer(copy, { mimeType: MP4 });
  expect(native.iTunes?.map(({ id, value }) => [id, id === "covr" ? "picture" : value])).toEqual([
    ["©too", "Encoder"],
    ["----:com.apple.iTunes:LABEL", "Kept"],
    ["covr", "picture"],
    ["©nam", "New"],
    ["©gen", "Ambient"],
    ["tmpo", 119],
    ["----:com.apple.iTunes:BPM", "118.5"],
    ["----:com.apple.iTunes:initialkey", "Am"],
    ["----:com.apple.iTunes:ISRC", "GBABC2600002"],
  ]);
  expect([common.genre, common.isrc]).toEqual([["Ambient"], ["GBABC2600002"]]);
  expect(copy.includes(boxOf(original, "covr"))).toBe(true);
  const whole = await written(copy, MP4, [{ name: "bpm", value: "120" }]);
  expect((await parseBuffer(whole, { mimeType: MP4 })).native.iTunes?.filter(({ id }) => /tmpo|BPM/.test(id))).toEqual([{ id: "tmpo", value: 120 }]);
  const named = await written(copy, MP4, [{ name: "bpm", value: "fast" }]);
  expect((await parseBuffer(named, { mimeType: MP4 })).native.iTunes?.filter(({ id }) => /tmpo|BPM/.test(id))).toEqual([
    { id: "----:com.apple.iTunes:BPM", value: "fast" },
  ]);
});

test("other user data, its end of four zeros, and an index without user data are kept", async () => {
  const userData = boxOf(aac, "udta");
  const start = boxStart(aac, "udta");
  const more = Buffer.concat([Buffer.from([0, 0, 0, 12]), Buffer.from("nameMix 1".slice(0, 8))]);
  const extended = insert(aac, start + userData.length, Buffer.concat([more, Buffer.alloc(4)]), ["moov", "udta"]);
  const [before, after] = [boxOf(extended, "udta"), boxOf(await written(extended, MP4), "udta")];
  expect(before.subarray(-16).equals(Buffer.concat([more, Buffer.alloc(4)]))).toBe(true);
  expect(after.subarray(-16).equals(before.subarray(-16))).toBe(true);
  const without = Buffer.from(alac);
  without.write("skip", boxStart(without, "udta") + 4);
  const copy = await written(without, MP4);
  expect((await parseBuffer(copy, { mimeType: MP4 })).common.title).toBe("Nachtfahrt é");
  expect(copy.includes(boxOf(without, "skip"))).toBe(true);
});

const changed = (file: Buffer, change: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.from(file);
  change(bytes);
  return bytes;
};
test.each([
  ["a truncated file", alac.subarray(0, alac.length - 20)],
  ["a file whose audio is cut off", aac.subarray(0, aac.length - 20)],
  ["a file without an index", aac.subarray(0, boxStart(aac, "moov"))],
  ["a box that is too short", changed(aac, (bytes) => bytes.writeUInt32BE(7, boxStart(bytes, "trak")))],
  ["a box that leaves its parent", changed(aac, (bytes) => bytes.writeUInt32BE(bytes.length, boxStart(bytes, "udta")))],
  ["a table that is longer than its box", changed(aac, (bytes) => bytes.writeUInt32BE(0xff_ff_ff, boxStart(bytes, "stco") + 12))],
  ["an offset outside the file", changed(aac, (bytes) => bytes.writeUInt32BE(bytes.length, boxStart(bytes, "stco") + 16))],
  ["a long offset outside the file", changed(longAac, (bytes) => bytes.fill(0xff, boxStart(bytes, "co64") + 16, boxStart(bytes, "co64") + 24))],
  ["a second box of user data", insert(aac, boxStart(aac, "udta"), boxOf(aac, "udta"), ["moov"])],
  ["a second box of tags", insert(aac, boxStart(aac, "meta"), boxOf(aac, "meta"), ["moov", "udta"])],
  ["a second list of tags", insert(aac, boxStart(aac, "ilst"), boxOf(aac, "ilst"), ["moov", "udta", "meta"])],
  ["tags of another kind", changed(aac, (bytes) => bytes.write("mdta", bytes.indexOf("mdir")))],
  ["a QuickTime file", changed(aac, (bytes) => bytes.write("qt  ", 8))],
  ["a fragmented file", encodeOddFile("AAC in fragmented MP4", testSong(2), 44_100)],
])("%s is refused", async (_title, file) => {
  expect(await write(file, MP4)).toBeNull();
});

test("a file of more than 4 GB is refused only if a short offset becomes too large", async () => {
  const head = Buffer.from(aac);
  const audio = boxStart(head, "mdat");
  head.writeUInt32BE(0xff_ff_ff_ff, audio);
  const read = async (start: number, end: number) => (start < head.length ? head.subarray(start, end) : Buffer.alloc(end - start));
  const plan = () => planTaggedCopy({ size: audio + 0xff_ff_ff_ff, read }, MP4, TAGS);
  expect(await plan()).not.toBeNull();
  head.writeUInt32BE(0xff_ff_ff_ff, boxStart(head, "stco") + 16);
  expect(await plan()).toBeNull();
});

test.each([
  ["index first", aac],
  ["index last", alac],
])("a file with any bytes changed is copied in full or refused: %s", async (title, original) => {
  const tagged = await written(original, MP4);
  const random = seeded(title.length);
  const index = boxStart(tagged, "moov");
  let copies = 0;
  for (let round = 0; round < 1_500; round += 1) {
    const damaged = Buffer.from(tagged.subarray(0, round % 9 === 0 ? Math.floor(random.next() * tagged.length) : tagged.length));
    const box = ["moov", "trak", "mdia", "stbl", "stco", "udta", "meta", "ilst", "----", "mdat"][round % 10]!;
    const at = Math.max(round % 4 === 0 ? index : boxStart(damaged, box), 0);
    for (let changes = 0; changes < 2; changes += 1) {
      const offset = at + Math.floor(random.next() * 20);
      if (offset < damaged.length) damaged[offset] = Math.floor(random.next() * 256);
    }
    const pieces = await planTaggedCopy(sourceOf(damaged), MP4, TAGS);
    if (!pieces) continue;
    copies += 1;
    const length = pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start), 0);
    expect((await join(damaged, pieces)).length).toBe(length);
  }
  expect(copies).toBeGreaterThan(0);
});
