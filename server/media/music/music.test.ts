import { describe, expect, test } from "vitest";
import { seeded } from "../testing/random.ts";
import { renderSong } from "../testing/song.ts";
import { STYLES } from "../testing/styles.ts";
import { noise } from "../testing/signals.ts";
import { hertzOf, kick, note, snare, TONES, type Track } from "../testing/voices.ts";
import { CHROMA_RATE, ChromaSink } from "./chroma.ts";
import { findKey } from "./key.ts";
import { ONSET_RATE, OnsetSink } from "./onset.ts";
import { findTempo, type Tempo } from "./tempo.ts";

function tempoOf(samples: Float32Array, block = 4_096): Tempo {
  const sink = new OnsetSink();
  for (let at = 0; at < samples.length; at += block) {
    const part = samples.subarray(at, at + block);
    sink.push(part, part.length);
  }
  return findTempo(sink.finish());
}

function keyOf(samples: Float32Array): ReturnType<typeof findKey> {
  const sink = new ChromaSink();
  sink.push(samples, samples.length);
  return findKey(sink.moments);
}

const track = (rate: number, seconds: number): Track => ({ rate, samples: new Float32Array(rate * seconds) });

function beat(bpm: number, seconds = 20): Float32Array {
  const out = track(ONSET_RATE, seconds);
  const random = seeded(3);
  for (let n = 0; (n * 60) / bpm < seconds; n++) {
    if (n % 2 === 0) kick(out, (n * 60) / bpm, 0.8);
    else snare(out, (n * 60) / bpm, 0.6, random);
    snare(out, ((n + 0.5) * 60) / bpm, 0.1, random);
  }
  return out.samples;
}

describe("tempo", () => {
  test.each([72, 90.5, 120, 128, 140.2, 151])("a plain beat at %f is found to a tenth", { timeout: 30_000 }, (bpm) => {
    const found = tempoOf(beat(bpm));
    expect(Math.abs(found.bpm - bpm)).toBeLessThan(0.15);
    expect(found.confidence).toBeGreaterThan(0.7);
  });
  test("does not depend on how the samples come in blocks", { timeout: 30_000 }, () => {
    const sound = beat(111);
    expect(tempoOf(sound, 333)).toEqual(tempoOf(sound, 100_000));
  });
  test("silence, steady noise, a held chord and a snippet are unsure and say 0", { timeout: 30_000 }, () => {
    const chord = track(ONSET_RATE, 20);
    for (const midi of [48, 60, 64, 67]) note(chord, 0, 20, hertzOf(midi), 0.2, TONES.organ);
    for (const sound of [new Float32Array(ONSET_RATE * 10), noise(0.3, 20, ONSET_RATE), chord.samples, beat(120, 2)]) expect(tempoOf(sound).bpm).toBe(0);
  });
});

describe("key", () => {
  test.each([
    ["C major", 0, [0, 5, 7, 0], [4, 4, 4, 4]],
    ["A minor", 9, [0, 5, 7, 0], [3, 3, 4, 3]],
    ["Eb major", 3, [0, 9, 5, 7], [4, 3, 4, 4]],
    ["F# minor", 6, [0, 8, 5, 7], [3, 4, 3, 4]],
  ])("%s from a cadence, in tune and 30 cents off", { timeout: 30_000 }, (name, tonic, roots, thirds) => {
    for (const cents of [0, 30, -30]) {
      const out = track(CHROMA_RATE, 12);
      for (let n = 0; n < 12; n++) {
        const root = tonic + roots[n % 4]!;
        note(out, n, 0.95, hertzOf(36 + (root % 12), cents), 0.3, TONES.bass);
        for (const step of [0, thirds[n % 4]!, 7]) note(out, n, 0.95, hertzOf(60 + (root % 12) + step, cents), 0.2, TONES.piano);
      }
      const found = keyOf(out.samples);
      expect(found.name, `${cents} cents`).toBe(name);
      expect(Math.abs(found.tuningCents - cents)).toBeLessThan(6);
    }
  });
  test("noise and silence have none", () => {
    expect(keyOf(noise(0.3, 20, CHROMA_RATE)).name).toBe("");
    expect(keyOf(new Float32Array(CHROMA_RATE * 10))).toMatchObject({ name: "", candidates: [] });
  });
});

test("a whole arrangement", { timeout: 60_000 }, () => {
  const style = STYLES.find(({ name }) => name === "house")!;
  const samples = renderSong({ style, seed: 5, seconds: 30, bpm: 124, tonic: 9, mode: "minor" });
  const found = tempoOf(samples);
  expect(Math.abs(found.bpm - 124)).toBeLessThan(0.3);
  expect(found.candidates[0]!.strength).toBe(1);
});
