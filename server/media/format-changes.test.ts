/** Formats that change midway, through the whole analysis. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { SoftwareResampleContext } from "node-av/lib";
import { describe, expect, test, vi } from "vitest";
import { readAudioFile } from "./audio-files.ts";
import { decodeAudio } from "./engine/audio-pass.ts";
import { openInput } from "./engine/open.ts";
import { createTestFolder } from "./testing/folder.ts";
import { encodeFile } from "./testing/formats.ts";
import { runStepsInProcess } from "./testing/in-process.ts";
import { sine } from "./testing/signals.ts";

const SLOW = { timeout: 60_000 };
const RATE = 44_100;

/** Returns where the frames of a FLAC file begin: behind its last metadata block. */
function firstFlacFrame(bytes: Buffer): number {
  for (let at = 4; ;) {
    const isLast = bytes[at]! >= 0x80;
    at += 4 + bytes.readUIntBE(at + 1, 3);
    if (isLast) return at;
  }
}

function splitAdts(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = (bytes.readUInt32BE(at + 2) >> 5) & 0x1fff;
    frames.push(bytes.subarray(at, at + length));
    at += length;
  }
  return frames;
}

describe("a format that changes midway", () => {
  const TONE = { hertz: 500, amplitude: 0.25, seconds: 4 };
  /** LUFS of the tone in one channel. */
  const MONO = -15.7;
  const PARTS: Record<string, { channels: number; rate: number }> = {
    stereo: { channels: 2, rate: RATE },
    mono: { channels: 1, rate: RATE },
    slow: { channels: 2, rate: 32_000 },
  };

  async function writeParts(folder: ReturnType<typeof createTestFolder>, names: readonly string[]): Promise<{ path: string; seconds: number }> {
    const path = folder.resolve("a");
    writeFileSync(path, "");
    let seconds = 0;
    for (const name of names) {
      const { channels, rate } = PARTS[name]!;
      const tone = sine(TONE.hertz, TONE.amplitude, TONE.seconds, rate);
      encodeFile(
        folder.resolve(name),
        "adts",
        Array.from({ length: channels }, () => tone),
        rate,
      );
      appendFileSync(path, readFileSync(folder.resolve(name)));
      const [alone] = await readAudioFile(folder.resolve(name), { sampleRate: RATE, channels: 1 });
      seconds += alone!.length / RATE;
    }
    return { path, seconds };
  }

  test.each([
    ["stereo, then mono on both sides", ["stereo", "mono"], MONO + 3],
    ["mono in the middle", ["stereo", "mono", "stereo"], MONO + 3],
    ["mono, then both sides mixed at the same level", ["mono", "stereo", "stereo", "stereo"], MONO],
    ["another rate in the middle", ["stereo", "slow", "stereo"], MONO + 3],
    ["channels and rate", ["stereo", "slow", "mono", "slow"], MONO + 3],
  ])("%s", SLOW, async (_name, names, expected) => {
    using folder = createTestFolder();
    const { path, seconds } = await writeParts(folder, names);
    const { probe, loudness } = await runStepsInProcess(path, folder.path, ["probe", "loudness"]);
    expect(probe!.audio!.channels).toBe(PARTS[names[0]!]!.channels);
    expect(Math.abs(probe!.audio!.duration - seconds)).toBeLessThan(0.0002);
    expect(Math.abs(loudness!.integrated! - expected)).toBeLessThan(0.2);
    if (names[0] === "stereo") expect(loudness!.defects.balance).toBeCloseTo(0, 1);
    expect(loudness!.defects.silenceTail).toBeLessThan(0.1);
  });

  test("a decoder of integers: one channel, two at another level, one again", SLOW, async () => {
    using folder = createTestFolder();
    const parts = [[0.3], [0.9, 0.9], [0.05]].map((levels, index) => {
      const path = folder.resolve(String(index));
      encodeFile(
        path,
        "flac16",
        levels.map((level) => sine(500, level, 2, RATE)),
        RATE,
      );
      const bytes = readFileSync(path);
      return index === 0 ? bytes : bytes.subarray(firstFlacFrame(bytes));
    });
    writeFileSync(folder.resolve("a"), Buffer.concat(parts));
    const { probe, peaks, loudness } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe", "peaks", "loudness"]);
    expect(probe!.audio).toMatchObject({ channels: 1, samples: 6 * RATE });
    const slices = peaks!.wave.length;
    for (const [part, level] of [0.3, 0.9, 0.05].entries()) {
      const highest = Math.max(...peaks!.wave.slice(Math.ceil((part * slices) / 3) + 1, Math.floor(((part + 1) * slices) / 3) - 1));
      expect(Math.abs(highest - level)).toBeLessThan(0.01);
    }
    expect(loudness!.samplePeak).toBeCloseTo(20 * Math.log10(0.9), 1);
    expect(loudness!.warnings.map(({ code }) => code)).not.toContain("clipping");
  });

  test("a file that changes at every frame needs one converter per format", SLOW, async () => {
    using folder = createTestFolder();
    const COUNT = 60;
    const [stereo, slow, mono] = ["stereo", "slow", "mono"].map((name) => {
      const { channels, rate } = PARTS[name]!;
      const path = folder.resolve(name);
      encodeFile(
        path,
        "adts",
        Array.from({ length: channels }, () => sine(500, 0.25, 4, rate)),
        rate,
      );
      return splitAdts(readFileSync(path)).slice(0, COUNT);
    }) as [Buffer[], Buffer[], Buffer[]];
    writeFileSync(folder.resolve("a"), Buffer.concat([...stereo, ...stereo.flatMap((frame, i) => [slow[i]!, mono[i]!, frame])]));
    const converters = vi.spyOn(SoftwareResampleContext.prototype, "allocSetOpts2");
    const { probe } = await runStepsInProcess(folder.resolve("a"), folder.path, ["probe"]);
    expect(converters.mock.calls.length).toBe(2);
    converters.mockRestore();
    const frames = COUNT * (3 + RATE / 32_000);
    expect(Math.abs(probe!.audio!.samples / 1_024 - frames)).toBeLessThan(1);
  });

  test("tempo, key and labels get every sample, too", async () => {
    using folder = createTestFolder();
    const { path, seconds } = await writeParts(folder, ["stereo", "slow", "mono", "stereo"]);
    const input = openInput(path);
    let heard = 0;
    const rate = 22_050;
    await decodeAudio(
      input,
      () => {},
      () => ({ full: [], mono: [{ rate, push: ({ length }) => void (heard += length) }] }),
      () => {},
    );
    input.close();
    expect(Math.abs(heard / rate - seconds)).toBeLessThan(0.0002);
  });
});
