/** What is said about the state of audio files: nothing about whole ones, and how much is missing of those that were cut or damaged. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestFolder } from "./testing/folder.ts";
import { ALL_FILES, type AnyFile } from "./testing/odd-files.ts";
import { runStepsInProcess } from "./testing/in-process.ts";
import { concatSignals, noise, sine } from "./testing/signals.ts";
import type { ProbeNote } from "./types.ts";

const NAMES = Object.keys(ALL_FILES) as AnyFile[];
/** Lengths in samples around the borders of the blocks of encoders. */
const LENGTHS = [1, 17, 1_025, 1_153, 30_011];
/** Needs more than a block or two of sound to be written or recognized. */
const NEEDS_LENGTH = /adts|MPEG-TS|Opus in MP4|Windows Media|chained|skips/i;
/** Files whose container does not say how long they are, or says less: what is left after a cut is a file like any other. */
const WITHOUT_PROMISE: ReadonlySet<AnyFile> = new Set<AnyFile>([
  "MP3, half the frames declared",
  "mp3bare",
  "adts",
  "ADTS, variable rate",
  "AAC in MPEG-TS",
  "MP3, variable rate, bare",
  "MP3, 64 kb/s, bare",
  "vorbis",
  "opus",
  "webmLive",
  "FLAC in Ogg",
  "Vorbis, chained",
  "Opus, chained",
]);

const INCOMPLETE = "The file ends early: its last part is incomplete.";

async function readNotes(path: string, folder: string): Promise<ProbeNote[]> {
  return (await runStepsInProcess(path, folder, ["probe"])).probe!.notes;
}

test.each(NAMES)("a whole file has no notes: %s", async (name) => {
  using folder = createTestFolder();
  const { write, rate } = ALL_FILES[name];
  for (const length of LENGTHS) {
    if (length < 4_000 && NEEDS_LENGTH.test(name)) continue;
    const samples = noise(0.3, length / rate, rate);
    write(folder.resolve("a"), [samples, samples], rate);
    expect(await readNotes(folder.resolve("a"), folder.path), `${length} samples`).toEqual([]);
  }
});

test.each(NAMES)("a file that was cut has a note if its container promises more: %s", async (name) => {
  using folder = createTestFolder();
  const { write, rate } = ALL_FILES[name];
  const samples = sine(330, 0.3, 2.5, rate);
  write(folder.resolve("whole"), [samples, samples], rate);
  const whole = readFileSync(folder.resolve("whole"));
  for (const share of [0.5, 0.9]) {
    writeFileSync(folder.resolve("cut"), whole.subarray(0, Math.floor(whole.length * share)));
    const notes = await readNotes(folder.resolve("cut"), folder.path).catch((error: unknown) => error);
    // An MP4 with its index at the end cannot be opened without it.
    if (notes instanceof Error) expect(notes).toMatchObject({ code: "damaged" });
    // Without a promise, only a last packet that is incomplete shows the cut.
    else if (WITHOUT_PROMISE.has(name)) expect((notes as ProbeNote[]).filter(({ text }) => text !== INCOMPLETE)).toEqual([]);
    else expect((notes as ProbeNote[]).length, `${share}: ${JSON.stringify(notes)}`).toBe(1);
  }
});

test.each(["MP3, variable rate, bare", "ADTS, variable rate", "mp3vbr", "adts"] as AnyFile[])(
  "a quiet beginning is no promise of a long file: %s",
  async (name) => {
    using folder = createTestFolder();
    const { write, rate } = ALL_FILES[name];
    const samples = concatSignals(noise(0.0005, 8, rate), noise(0.5, 8, rate));
    write(folder.resolve("a"), [samples, samples], rate);
    expect(await readNotes(folder.resolve("a"), folder.path)).toEqual([]);
  },
);

test("an MP3 that begins in the middle of another has no notes, although its first frames lack bytes", async () => {
  using folder = createTestFolder();
  const samples = noise(0.3, 2, 44_100);
  ALL_FILES["MP3, 64 kb/s, bare"].write(folder.resolve("a"), [samples, samples], 44_100);
  const whole = readFileSync(folder.resolve("a"));
  const start = whole.indexOf(whole.subarray(0, 2), Math.floor(whole.length / 3));
  writeFileSync(folder.resolve("a"), whole.subarray(start));
  expect(await readNotes(folder.resolve("a"), folder.path)).toEqual([]);
});

/** Appends a page with one packet without bytes to an Ogg file, as some encoders end it. */
function appendEmptyPacket(ogg: Buffer): Buffer {
  const last = ogg.lastIndexOf("OggS");
  const page = Buffer.from(ogg.subarray(last, last + 28));
  page.writeUInt32LE(page.readUInt32LE(18) + 1, 18);
  page.writeUInt32LE(0, 22);
  page.set([1, 0], 26);
  page.writeUInt32LE(oggChecksum(page), 22);
  return Buffer.concat([ogg, page]);
}

function oggChecksum(page: Buffer): number {
  let checksum = 0;
  for (const byte of page) {
    checksum = (checksum ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit++) checksum = ((checksum << 1) ^ (checksum & 0x8000_0000 ? 0x04c1_1db7 : 0)) >>> 0;
  }
  return checksum;
}

test("an empty last packet of an Ogg file is no damage", async () => {
  using folder = createTestFolder();
  const samples = noise(0.3, 1, 44_100);
  ALL_FILES.vorbis.write(folder.resolve("a"), [samples], 44_100);
  writeFileSync(folder.resolve("a"), appendEmptyPacket(readFileSync(folder.resolve("a"))));
  const { probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]);
  expect([probe!.notes, Math.abs(probe!.audio!.samples - samples.length) < 2_048]).toEqual([[], true]);
});

test("damage is told apart from an early end, with the seconds that could be decoded", async () => {
  using folder = createTestFolder();
  const rate = 44_100;
  const samples = noise(0.3, 4, rate);
  ALL_FILES.flac16.write(folder.resolve("a"), [samples, samples], rate);
  const whole = readFileSync(folder.resolve("a"));
  const damaged = Buffer.from(whole);
  damaged.fill(0x55, Math.floor(whole.length * 0.4), Math.floor(whole.length * 0.6));
  writeFileSync(folder.resolve("a"), damaged);
  expect(await readNotes(folder.resolve("a"), folder.path)).toEqual([
    { code: "damaged-parts", text: expect.stringMatching(/^Only \d\.\d s of 4\.0 s could be decoded: \d+ damaged parts? (was|were) skipped\.$/) },
  ]);
  writeFileSync(folder.resolve("a"), whole.subarray(0, whole.length / 2));
  expect(await readNotes(folder.resolve("a"), folder.path)).toEqual([
    { code: "ends-early", text: expect.stringMatching(/^The file ends early: its header declares 4\.0 s, but it contains 1\.\d s\.$/) },
  ]);
});
