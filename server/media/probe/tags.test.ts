/** Tests the tags that files of all kinds carry, and that hostile tags cost neither the file nor the service. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile, type RecipeName } from "../testing/formats.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { noise } from "../testing/signals.ts";
import {
  apeV2,
  flacPicture,
  id3v1,
  id3v2,
  mp4Data,
  mp4FreeTag,
  mp4Tag,
  textFrame,
  vorbisComments,
  withChunk,
  withFlacBlocks,
  withMp4Tags,
} from "../testing/tagged.ts";
import { parseChildMessage } from "../worker/message-schema.ts";

const noiseBytes = (length: number): Buffer => Buffer.from(Uint8Array.from(noise(1, length / 1_000, 1_000), (value) => Math.round(value * 127)));

let folder: ReturnType<typeof createTestFolder>;
const encoded = {} as Record<"mp3" | "flac" | "mp4" | "wav" | "aiff", Buffer>;
beforeAll(() => {
  folder = createTestFolder();
  const recipes = { mp3: "mp3cbr", flac: "flac16", mp4: "alac16", wav: "wav16", aiff: "aiff16" } satisfies Record<keyof typeof encoded, RecipeName>;
  for (const [name, recipe] of Object.entries(recipes)) {
    encodeFile(folder.resolve("encoded"), recipe, [noise(0.3, 0.4, 44_100)], 44_100);
    encoded[name as keyof typeof encoded] = readFileSync(folder.resolve("encoded"));
  }
});
afterAll(() => folder[Symbol.dispose]());

async function probeOf(file: Buffer) {
  writeFileSync(folder.resolve("file"), file);
  const { probe } = await runStepsInProcess(folder.resolve("file"), folder.path, ["probe"]);
  expect(parseChildMessage({ type: "step", done: { step: "probe", value: probe } })).not.toHaveProperty("fault");
  return probe!;
}
const tagsOf = async (file: Buffer): Promise<Record<string, unknown>> => JSON.parse((await probeOf(file)).annotations) as Record<string, unknown>;

const mp3 = (...frames: [string, Buffer][]): Buffer => Buffer.concat([id3v2(frames), encoded.mp3]);
const flac = (...comments: (string | Buffer)[]): Buffer => withFlacBlocks(encoded.flac, [[4, vorbisComments(comments)]]);
const utf8 = (...values: string[]): Buffer => textFrame("utf8", ...values);
const ape = (): Buffer =>
  apeV2([
    ["Title", ["Nightdrive"]],
    ["Artist", ["Halden", "Mara; Lind"]],
    ["ISRC", ["DEA122600001"]],
  ]);
const FRAMES: [string, Buffer][] = [
  ["TIT2", utf8("Nightdrive")],
  ["TPE1", utf8("Halden", "Mara; Lind")],
  ["TSRC", utf8("DEA122600001")],
];

const FORMATS: [description: string, file: () => Buffer][] = [
  ["ID3v2.4", () => mp3(...FRAMES)],
  ["ID3v2.4 in front of FLAC", () => Buffer.concat([id3v2(FRAMES), encoded.flac])],
  ["Vorbis comments", () => flac("TITLE=Nightdrive", "ARTIST=Halden", "ARTIST=Mara; Lind", "ISRC=DEA122600001")],
  [
    "MP4",
    () =>
      withMp4Tags(encoded.mp4, [
        mp4Tag("\xa9nam", mp4Data("Nightdrive")),
        mp4Tag("\xa9ART", mp4Data("Halden"), mp4Data("Mara; Lind")),
        mp4FreeTag("ISRC", mp4Data("DEA122600001")),
      ]),
  ],
  ["APEv2 behind MP3", () => Buffer.concat([encoded.mp3, ape()])],
  ["APEv2 and ID3v1 behind MP3", () => Buffer.concat([encoded.mp3, ape(), id3v1("Night")])],
  ["ID3 in WAV", () => withChunk(encoded.wav, "id3 ", id3v2(FRAMES))],
  ["ID3 in AIFF", () => withChunk(encoded.aiff, "ID3 ", id3v2(FRAMES))],
];
test.each(FORMATS)("%s: several values of one tag stay several, and the ISRC has its name", async (_, file) => {
  expect(await tagsOf(file())).toMatchObject({ title: "Nightdrive", artist: ["Halden", "Mara; Lind"], isrc: "DEA122600001" });
});

test.each(["mp3cbr", "mp3bare", "adts"] as const)("a tag behind %s is no incomplete part of it", async (recipe) => {
  encodeFile(folder.resolve("encoded"), recipe, [noise(0.3, 2, 44_100)], 44_100);
  const sound = readFileSync(folder.resolve("encoded"));
  const withPicture = apeV2([["Cover Art (Front)", Buffer.concat([Buffer.from("cover.jpg\0"), noiseBytes(100_000)])]]);
  for (const tags of [[ape()], [id3v1("Night")], [ape(), id3v1("Night")], [withPicture]])
    expect((await probeOf(Buffer.concat([sound, ...tags]))).notes).toEqual([]);
});

test.each([
  ["INFO", () => withChunk(encoded.wav, "LIST", Buffer.from("INFOISRC\x0d\0\0\0DEA122600001\0\0", "latin1"))],
  ["iXML", () => withChunk(encoded.wav, "iXML", Buffer.from("<BWFXML><USER><ISRC>DEA122600001</ISRC></USER></BWFXML>"))],
  ["axml", () => withChunk(encoded.wav, "axml", Buffer.from("<dc:identifier>ISRC:DEA122600001</dc:identifier>"))],
])("the ISRC of a WAV is read from %s", async (_, file) => {
  expect((await tagsOf(file()))["isrc"]).toBe("DEA122600001");
});

test.each(["vorbis", "opus", "webm", "mka", "adts"] as const)("reads %s as before", async (recipe) => {
  const rate = 48_000;
  encodeFile(folder.resolve("encoded"), recipe, [noise(0.3, 0.4, rate)], rate, { title: "Käse", artist: "A; B" });
  expect(await tagsOf(readFileSync(folder.resolve("encoded")))).toMatchObject(recipe === "adts" ? {} : { title: "Käse", artist: "A; B" });
});

test("values of one's own tags stay several too, and one value is a string", async () => {
  expect(await tagsOf(flac("MOOD=dark", "MOOD=calm", "STUDIO=A; B"))).toMatchObject({ mood: ["dark", "calm"], studio: "A; B" });
  expect(await tagsOf(mp3(["TXXX", utf8("Mood", "dark", "calm")], ["TXXX", utf8("Studio", "A; B")]))).toMatchObject({ mood: ["dark", "calm"], studio: "A; B" });
});

test("a field with several values leaves no tags with names from memory", async () => {
  for (let run = 0; run < 5; run++)
    expect(Object.keys(await tagsOf(mp3(["TXXX", utf8("Mood", "dark", "calm", "slow", "low")], ["TXXX", utf8("Studio", "A", "B", "C")]))).toSorted()).toEqual([
      "mood",
      "studio",
    ]);
});

test("AC/DC is one artist where a slash may also separate two", async () => {
  const file = Buffer.concat([id3v2([["TPE1", textFrame("latin1", "AC/DC")]], { version: 3 }), encoded.mp3]);
  expect((await tagsOf(file))["artist"]).toBe("AC/DC");
});

test.each([
  ["UTF-16BE", textFrame("utf16be", "Käse ž")],
  ["UTF-16 with a byte order mark", textFrame("utf16", "\ufeffKäse ž")],
  ["UTF-16 without a byte order mark", textFrame("utf16", "Käse ž")],
  ["UTF-16 without a byte order mark, big-endian", Buffer.concat([Buffer.from([1]), textFrame("utf16be", "Käse ž").subarray(1)])],
  ["UTF-8 that is declared as Latin-1", Buffer.concat([Buffer.from([0]), Buffer.from("Käse ž")])],
])("reads %s", async (_, frame) => {
  expect((await tagsOf(mp3(["TIT2", frame])))["title"]).toBe("Käse ž");
});
test.each(["一", "刀", "가", "一 刀", "Ā", "가수"])("%s is no text in the wrong byte order", async (title) => {
  expect((await tagsOf(flac(`TITLE=${title}`)))["title"]).toBe(title);
  expect((await tagsOf(mp3(["TIT2", textFrame("utf16", `\ufeff${title}`)])))["title"]).toBe(title);
});
test("a broadcast WAV keeps the fields of its bext chunk beside an ID3 tag", async () => {
  const bext = Buffer.alloc(602);
  bext.write("A take", 0);
  bext.write("Recorder 12", 256);
  bext.write("2026-11-2512:00:00", 320);
  bext.writeBigUInt64LE(172_800_000n, 338);
  const file = withChunk(withChunk(encoded.wav, "bext", bext), "id3 ", id3v2([["TIT2", utf8("Nightdrive")]]));
  expect(await tagsOf(file)).toMatchObject({
    title: "Nightdrive",
    comment: "A take",
    encoded_by: "Recorder 12",
    creation_time: "12:00:00",
    time_reference: 172_800_000,
  });
});
test("Latin-1 stays Latin-1, every value of UTF-16 has its mark removed, and what is no UTF-8 does not fail", async () => {
  expect((await tagsOf(mp3(["TIT2", textFrame("latin1", "Käse")])))["title"]).toBe("Käse");
  expect((await tagsOf(withChunk(encoded.wav, "LIST", Buffer.from("INFOINAM\x05\0\0\0K\xe4se\0\0", "latin1"))))["title"]).toBe("Käse");
  expect((await tagsOf(mp3(["TPE1", textFrame("utf16", "\ufeffHalden", "\ufeffMara")])))["artist"]).toEqual(["Halden", "Mara"]);
  expect((await tagsOf(mp3(["TIT2", Buffer.from([3, 0x41, 0xff, 0xfe, 0x42])])))["title"]).toMatch(/^A.*B$/);
  expect((await tagsOf(flac(Buffer.from([...Buffer.from("TITLE=A"), 0xff, 0x42]))))["title"]).toMatch(/^A.*B$/);
});

test("a long value is cut with an ellipsis between characters, and the long title wins over the 30 letters of ID3v1", async () => {
  const family = "👩‍👩‍👧‍👦";
  const { title } = await tagsOf(flac(`TITLE=${family.repeat(1_000)}`));
  expect(title).toBe(`${family.repeat(363)}…`);
  expect((await tagsOf(flac(`TITLE=${"x".repeat(4_000)}`)))["title"]).toBe("x".repeat(4_000));
  const long = "The long title of a song that does not end";
  expect((await tagsOf(Buffer.concat([id3v2([["TIT2", utf8(long)]]), encoded.mp3, id3v1(long)])))["title"]).toBe(long);
  expect((await tagsOf(Buffer.concat([encoded.mp3, id3v1(long)])))["title"]).toBe(long.slice(0, 30).trim());
});

const uint32le = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const declaringMore = (tag: Buffer): Buffer => {
  const bytes = Buffer.from(tag);
  bytes.writeUInt32BE(0xffff_fff0, 8);
  return bytes;
};

/** The footer has the size 20 bytes before its end. */
const withApeSize = (tag: Buffer, size: number): Buffer => Buffer.concat([tag.subarray(0, -20), uint32le(size), tag.subarray(-16)]);

describe("hostile tags leave the sound as it is, within the bounds of the message", () => {
  const HOSTILE: [description: string, file: () => Buffer][] = [
    ["a picture of 1 GB declared", () => withFlacBlocks(encoded.flac, [[6, flacPicture(Buffer.alloc(100), "image/jpeg", 3, 1_000_000_000)]])],
    ["a frame of 250 MB declared", () => Buffer.concat([id3v2([["TIT2", utf8("x")]], { declaredSize: 250_000_000 }), encoded.mp3])],
    ["a comment of 4 GB declared", () => withFlacBlocks(encoded.flac, [[4, Buffer.concat([uint32le(0), uint32le(1), uint32le(0xffff_fff0)])]])],
    ["4 billion comments declared", () => withFlacBlocks(encoded.flac, [[4, Buffer.concat([uint32le(0), uint32le(0xffff_fff0)])]])],
    ["an MP4 tag of 4 GB declared", () => withMp4Tags(encoded.mp4, [declaringMore(mp4Tag("\xa9nam", mp4Data("x")))])],
    ["an APEv2 tag of 2 GB declared", () => Buffer.concat([encoded.mp3, withApeSize(apeV2([["Title", ["x"]]]), 0x7fff_ffff)])],
    ["3,000 tags", () => flac(...Array.from({ length: 3_000 }, (_, index) => `T${index}=${"x".repeat(50)}`))],
    ["20,000 values of one tag", () => flac(...Array.from({ length: 20_000 }, (_, index) => `ARTIST=${index}`))],
    ["a megabyte of quotes in each of 15 tags", () => flac("__proto__=x", ...Array.from({ length: 15 }, (_, index) => `T${index}=${'"'.repeat(1_000_000)}`))],
    ["190 long comments behind a name of objects", () => flac("__proto__=x", ...Array.from({ length: 190 }, (_, index) => `T${index}=${'"'.repeat(4_000)}`))],
  ];
  test.each(HOSTILE)("%s", { timeout: 60_000 }, async (_, file) => {
    const probe = await probeOf(file());
    expect(probe.audio!.duration).toBeGreaterThan(0.35);
    expect(probe.annotations.length).toBeLessThan(500_000);
  });
  test("names of objects are names like others", async () => {
    expect(Object.entries(await tagsOf(flac("__proto__=x", "constructor=y", "toString=z", "hasOwnProperty=1")))).toEqual(
      expect.arrayContaining([
        ["__proto__", "x"],
        ["constructor", "y"],
        ["tostring", "z"],
      ]),
    );
  });
  test("a thousand markers with long labels", async () => {
    const cues = Buffer.concat([uint32le(1_000), ...Array.from({ length: 1_000 }, (_, id) => Buffer.concat([uint32le(id), Buffer.alloc(16), uint32le(id)]))]);
    const labels = Array.from({ length: 1_000 }, (_, id) => Buffer.concat([Buffer.from("labl"), uint32le(1_004), uint32le(id), Buffer.alloc(1_000, '"')]));
    const file = withChunk(withChunk(encoded.wav, "cue ", cues), "LIST", Buffer.concat([Buffer.from("adtl"), ...labels]));
    const { markers } = (await tagsOf(file)) as { markers: { label: string }[] };
    expect(markers).toHaveLength(1_000);
    expect(markers[0]!.label).toBe(`${'"'.repeat(199)}…`);
  });
});
