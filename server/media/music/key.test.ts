import { describe, expect, test } from "vitest";
import { renderChordSong } from "../testing/chord-songs.ts";
import { noise } from "../testing/signals.ts";
import { midiToHertz, addNote, TONES, type Track } from "../testing/voices.ts";
import { CHROMA_RATE, ChromaSink } from "./chroma.ts";
import { findKey } from "./key.ts";

function detectKey(samples: Float32Array): ReturnType<typeof findKey> {
  const sink = new ChromaSink();
  sink.push(samples, samples.length);
  return findKey(sink.frames);
}

const createTrack = (rate: number, seconds: number): Track => ({ rate, samples: new Float32Array(rate * seconds) });

describe("key", () => {
  test.each([
    ["C major", 0, [0, 5, 7, 0], [4, 4, 4, 4]],
    ["A minor", 9, [0, 5, 7, 0], [3, 3, 4, 3]],
    ["Eb major", 3, [0, 9, 5, 7], [4, 3, 4, 4]],
    ["F# minor", 6, [0, 8, 5, 7], [3, 4, 3, 4]],
  ])("detects %s in a cadence, in tune and 30 cents off", { timeout: 30_000 }, (name, tonic, roots, thirds) => {
    for (const cents of [0, 30, -30]) {
      const out = createTrack(CHROMA_RATE, 12);
      for (let n = 0; n < 12; n++) {
        const root = tonic + roots[n % 4]!;
        addNote(out, n, 0.95, midiToHertz(36 + (root % 12), cents), 0.3, TONES.bass);
        for (const step of [0, thirds[n % 4]!, 7]) addNote(out, n, 0.95, midiToHertz(60 + (root % 12) + step, cents), 0.2, TONES.piano);
      }
      const key = detectKey(out.samples);
      expect(key.name, `${cents} cents`).toBe(name);
      expect(Math.abs(key.tuningCents - cents)).toBeLessThan(6);
    }
  });
  // Each pair consists of the same chords.
  test.each([
    ["G minor", 7, "minor", "Am F C G"],
    ["Bb major", 10, "major", "C G Am F"],
    ["F# minor", 6, "minor", "Am G F G"],
    ["A major", 9, "major", "C G Am G"],
  ] as const)("tells %s from its relative key", { timeout: 30_000 }, (name, tonic, mode, progression) => {
    const key = detectKey(renderChordSong({ progression, seed: 4, tonic, mode }, CHROMA_RATE));
    expect(key.candidates[0]!.name).toBe(name);
  });
  test("detects no key in noise and silence", () => {
    expect(detectKey(noise(0.3, 20, CHROMA_RATE)).name).toBe("");
    expect(detectKey(new Float32Array(CHROMA_RATE * 10))).toMatchObject({ name: "", candidates: [] });
  });
});
