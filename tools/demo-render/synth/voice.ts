/** One note of a subtractive synthesiser: oscillators beside each other, a filter that opens and closes, an envelope. */
import { Filter } from "./filter.ts";
import { panOf, RATE, type Track } from "./track.ts";

export interface Patch {
  wave: "saw" | "square" | "triangle" | "sine";
  /** Oscillators side by side, and how far apart: in cents, and in the room (0 to 1). */
  unison: number;
  detune: number;
  spread: number;
  /** Hertz at which the filter rests, how many octaves each note opens it, and for how many seconds. */
  cutoff: number;
  sweep: number;
  sweepSeconds: number;
  resonance: number;
  /** Seconds; `sustain` 0 to 1. */
  attack: number;
  decay: number;
  sustain: number;
  release: number;
  /** Cents, slowly coming in. */
  vibrato?: number;
  /** A sine an octave below, 0 to 1. */
  sub?: number;
  /** Saturation, 0 to 1. */
  drive?: number;
}

export interface Note {
  seconds: number;
  hertz: number;
  pan?: number;
}

/** How often the filter is tuned anew, in samples. */
const STEP = 16;

/** Takes the corner off a jump so that it does not alias (polyBLEP). `phase` 0 to 1, `step` per sample. */
function corner(phase: number, step: number): number {
  if (phase < step) {
    const t = phase / step;
    return t + t - t * t - 1;
  }
  if (phase > 1 - step) {
    const t = (phase - 1) / step;
    return t * t + t + t + 1;
  }
  return 0;
}

function wave(kind: Patch["wave"], phase: number, step: number): number {
  if (kind === "saw") return 2 * phase - 1 - corner(phase, step);
  if (kind === "triangle") return 4 * Math.abs(phase - 0.5) - 1;
  if (kind === "sine") return Math.sin(2 * Math.PI * phase);
  return (phase < 0.5 ? 1 : -1) + corner(phase, step) - corner(phase < 0.5 ? phase + 0.5 : phase - 0.5, step);
}

function loudness(patch: Patch, t: number, seconds: number): number {
  const { attack, decay, sustain, release } = patch;
  const held = Math.min(t, seconds);
  const level = held < attack ? held / attack : sustain + (1 - sustain) * Math.exp(-(held - attack) / decay);
  return t <= seconds ? level : level * Math.exp((-4 * (t - seconds)) / release);
}

export const noteSeconds = (patch: Patch, { seconds }: Note): number => seconds + patch.release;

/** Plays the note into a track of its length. `phaseSeed` 0 to 1 starts the oscillators where no other note does. */
export function play(track: Track, patch: Patch, { seconds, hertz, pan = 0 }: Note, phaseSeed: number): void {
  const voices = Array.from({ length: patch.unison }, (_, n) => {
    const place = patch.unison === 1 ? 0 : (2 * n) / (patch.unison - 1) - 1;
    const [left, right] = panOf(place * patch.spread);
    return { step: (hertz * 2 ** ((place * patch.detune) / 1_200)) / RATE, phase: (phaseSeed + n * 0.37) % 1, left, right };
  });
  const [panLeft, panRight] = panOf(pan);
  const size = 1 / Math.sqrt(patch.unison);
  const [filterLeft, filterRight] = [new Filter(), new Filter()];
  const drive = 1 + 6 * (patch.drive ?? 0);
  let sub = 0;
  let bend = 1;
  let level = 0;
  for (let i = 0; i < track.left.length; i++) {
    const t = i / RATE;
    if (i % STEP === 0) {
      const cutoff = patch.cutoff * 2 ** (patch.sweep * Math.exp(-t / patch.sweepSeconds));
      filterLeft.tune(cutoff, patch.resonance);
      filterRight.tune(cutoff, patch.resonance);
      bend = patch.vibrato ? 2 ** ((patch.vibrato / 1_200) * Math.min(1, t * 2) * Math.sin(2 * Math.PI * 5.3 * t)) : 1;
      level = loudness(patch, t, seconds);
    }
    let left = 0;
    let right = 0;
    for (const voice of voices) {
      voice.phase += voice.step * bend;
      if (voice.phase >= 1) voice.phase -= 1;
      const sample = wave(patch.wave, voice.phase, voice.step);
      left += sample * voice.left;
      right += sample * voice.right;
    }
    filterLeft.run(left);
    filterRight.run(right);
    // The envelope's steps are too small to hear but for the very first.
    const now = level * Math.min(1, t * 700);
    left = filterLeft.low;
    right = filterRight.low;
    if (patch.sub) {
      sub += (hertz * bend) / RATE / 2;
      const low = patch.sub * Math.sin(2 * Math.PI * sub);
      left += low;
      right += low;
    }
    if (patch.drive) {
      left = Math.tanh(left * drive) / Math.sqrt(drive);
      right = Math.tanh(right * drive) / Math.sqrt(drive);
    }
    track.left[i] = left * now * size * panLeft;
    track.right[i] = right * now * size * panRight;
  }
}
