import { describe, expect, test } from "vitest";
import { seeded } from "../testing/random.ts";
import { noise } from "../testing/signals.ts";
import { renderSong, type Style } from "../testing/song.ts";
import { BEATLESS, STYLES } from "../testing/styles.ts";
import { click, midiToHertz, kick, addNote, snare, TONES, type Track } from "../testing/voices.ts";
import { ONSET_RATE, OnsetSink } from "./onset.ts";
import { findTempo, type Tempo } from "./tempo.ts";

const LONG = { timeout: 60_000 };

function detectTempo(samples: Float32Array, block = 4_096): Tempo {
  const sink = new OnsetSink();
  for (let at = 0; at < samples.length; at += block) {
    const part = samples.subarray(at, at + block);
    sink.push(part, part.length);
  }
  return findTempo(sink.finish());
}

const createTrack = (seconds: number): Track => ({ rate: ONSET_RATE, samples: new Float32Array(ONSET_RATE * seconds) });

function renderBeat(bpm: number, seconds = 20): Float32Array {
  const out = createTrack(seconds);
  const random = seeded(3);
  for (let n = 0; (n * 60) / bpm < seconds; n++) {
    if (n % 2 === 0) kick(out, (n * 60) / bpm, 0.8);
    else snare(out, (n * 60) / bpm, 0.6, random);
    snare(out, ((n + 0.5) * 60) / bpm, 0.1, random);
  }
  return out.samples;
}

function renderClicks(bpm: number, seconds = 20): Float32Array {
  const out = createTrack(seconds);
  for (let n = 0; (n * 60) / bpm < seconds; n++) click(out, (n * 60) / bpm, 0.5, 1_500);
  return out.samples;
}

/** Renders 24 seconds of drums only. */
function renderDrums(style: Pick<Style, "steps" | "drums" | "swing" | "humanize">, bpm: number): Float32Array {
  const plan = { seed: 5, seconds: 24, bpm, tonic: 0, mode: "major" } as const;
  return renderSong({ ...plan, style: { name: "drums", bpm: [bpm, bpm], beats: 4, progressions: { major: [[0]] }, ...style } });
}

describe("detects the beat and not its half or double", () => {
  test.each([72, 90.5, 120, 128, 140.2, 151])("a plain beat at %f BPM", LONG, (bpm) => {
    const tempo = detectTempo(renderBeat(bpm));
    expect(Math.abs(tempo.bpm - bpm)).toBeLessThan(0.15);
    expect(tempo.confidence).toBeGreaterThan(0.6);
  });
  test.each([60, 75, 90, 120, 150, 180])("clicks alone at %f BPM", LONG, (bpm) => {
    expect(Math.abs(detectTempo(renderClicks(bpm)).bpm - bpm)).toBeLessThan(0.15);
  });
  test.each([96, 126, 140])("off-beats as strong as the beat at %f BPM", LONG, (bpm) => {
    const samples = renderDrums({ steps: 2, drums: { kick: "X.X.X.X.", open: ".X.X.X.X" } }, bpm);
    expect(Math.abs(detectTempo(samples).bpm - bpm)).toBeLessThan(0.2);
  });
  test.each([130, 144])("half-time drums at %f BPM, with the other tempo as a candidate", LONG, (bpm) => {
    const samples = renderDrums({ steps: 4, drums: { kick: "X.....x...x.....", snare: "........X.......", hat: "x.x.x.x.x.x.x.x." } }, bpm);
    const tempo = detectTempo(samples);
    const candidateBpms = tempo.candidates.map((candidate) => Math.round(candidate.bpm));
    // People tap either tempo, so the other one must be a candidate.
    expect(candidateBpms).toContain(bpm);
    expect(candidateBpms).toContain(bpm / 2);
    expect([0, bpm, bpm / 2]).toContain(Math.round(tempo.bpm));
  });
  test.each([
    [88, 0.33],
    [112, 0.25],
    [132, 0.33],
  ])("swing at %f BPM, late by %f of a step", LONG, (bpm, swing) => {
    const samples = renderDrums({ steps: 2, swing, drums: { kick: "X...X...", snare: "..X...X.", hat: "xxxxxxxx" }, humanize: 0.008 }, bpm);
    expect(Math.abs(detectTempo(samples).bpm - bpm)).toBeLessThan(0.3);
  });
  test("a full arrangement", LONG, () => {
    const style = STYLES.find(({ name }) => name === "house")!;
    const tempo = detectTempo(renderSong({ style, seed: 5, seconds: 30, bpm: 124, tonic: 9, mode: "minor" }));
    expect(Math.abs(tempo.bpm - 124)).toBeLessThan(0.3);
    expect(tempo.candidates[0]!.strength).toBe(1);
  });
});

describe("detects no beat in", () => {
  test("silence, steady noise, a held chord and a snippet", LONG, () => {
    const chord = createTrack(20);
    for (const midi of [48, 60, 64, 67]) addNote(chord, 0, 20, midiToHertz(midi), 0.2, TONES.organ);
    for (const samples of [new Float32Array(ONSET_RATE * 10), noise(0.3, 20, ONSET_RATE), chord.samples, renderBeat(120, 2)])
      expect(detectTempo(samples).bpm).toBe(0);
  });
  test("pads that swell at irregular times", LONG, () => {
    for (const seed of [1, 2, 3]) expect(detectTempo(renderSong({ style: BEATLESS[0]!, seed, seconds: 30, bpm: 60, tonic: 2, mode: "minor" })).bpm).toBe(0);
  });
  test("drum hits at random times", LONG, () => {
    const out = createTrack(30);
    const random = seeded(8);
    for (let at = 0; at < 30; at += random.between(0.25, 0.9)) kick(out, at, random.between(0.4, 0.8));
    expect(detectTempo(out.samples).bpm).toBe(0);
  });
});

test("the tempo does not depend on the block size", LONG, () => {
  const samples = renderBeat(111);
  expect(detectTempo(samples, 333)).toEqual(detectTempo(samples, 100_000));
});
