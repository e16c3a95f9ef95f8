import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { encodeFile } from "../testing/formats.ts";
import { runStepsInProcess } from "../testing/in-process.ts";
import { sine } from "../testing/signals.ts";
import { readRiff } from "./riff.ts";

function createChunk(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** Writes a WAV with time reference 1 h at 48 kHz, two markers (one named) and an odd-sized chunk between. */
function writeBroadcastWav(path: string): void {
  encodeFile(path, "wav16", [sine(440, 0.2, 2, 48_000)], 48_000, { title: "Take 3", ISRC: "DEABC2400001" });
  const wav = readFileSync(path);
  const bext = Buffer.alloc(602);
  bext.write("A take", 0);
  bext.writeBigUInt64LE(172_800_000n, 338);
  const cues = Buffer.alloc(4 + 48);
  cues.writeUInt32LE(2, 0);
  [
    [7, 24_000],
    [8, 48_000],
  ].forEach(([id, sample], n) => {
    cues.writeUInt32LE(id!, 4 + n * 24);
    cues.write("data", 4 + n * 24 + 8);
    cues.writeUInt32LE(sample!, 4 + n * 24 + 20);
  });
  const label = Buffer.concat([Buffer.from([8, 0, 0, 0]), Buffer.from("Chorus\0")]);
  const list = Buffer.concat([Buffer.from("adtl"), createChunk("labl", label)]);
  const out = Buffer.concat([
    wav.subarray(0, 12),
    createChunk("bext", bext),
    createChunk("odd ", Buffer.from("abc")),
    wav.subarray(12),
    createChunk("cue ", cues),
    createChunk("LIST", list),
  ]);
  out.writeUInt32LE(out.length - 8, 4);
  writeFileSync(path, out);
}

test("reads time reference, markers, ISRC and title as annotations", async () => {
  using folder = createTestFolder();
  writeBroadcastWav(folder.resolve("a"));
  const { probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]);
  const tags = JSON.parse(probe!.annotations) as Record<string, unknown>;
  expect(tags).toMatchObject({
    title: "Take 3",
    time_reference: 172_800_000,
    markers: [
      { at: 0.5, label: "" },
      { at: 1, label: "Chorus" },
    ],
  });
  expect(probe!.audio!.samples).toBe(96_000);
});

test("counts the samples that exist and adds a note if the header declares more", async () => {
  using folder = createTestFolder();
  encodeFile(folder.resolve("a"), "wav16", [sine(440, 0.2, 2, 48_000)], 48_000);
  const wav = readFileSync(folder.resolve("a"));
  wav.writeUInt32LE(0x7fff_fff0, wav.indexOf("data") + 4);
  writeFileSync(folder.resolve("a"), wav);
  expect(readRiff(folder.resolve("a"))!.truncated).toBe(true);
  const { probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]);
  expect(probe!.audio!.samples).toBe(96_000);
  expect(probe!.notes.map(({ code }) => code)).toEqual(["ends-early"]);
});

test("stops at a chunk size outside the file", () => {
  using folder = createTestFolder();
  for (const size of [0, 1, 0xffff_fffe]) {
    const corrupted = Buffer.from("RIFF____WAVEcue ____");
    corrupted.writeUInt32LE(size, 16);
    writeFileSync(folder.resolve("a"), Buffer.concat([corrupted, Buffer.alloc(50_000)]));
    expect(readRiff(folder.resolve("a"))!.markers).toEqual([]);
  }
  writeFileSync(folder.resolve("b"), "not RIFF");
  expect(readRiff(folder.resolve("b"))).toBeNull();
});
