/** One note of a subtractive synthesizer: detuned oscillators, a low-pass filter with an envelope, an amplitude envelope, and saturation. */
import { Filter } from "./filter.ts";
import { panGains, SAMPLE_RATE, type Track } from "./track.ts";

export interface Patch {
  wave: "saw" | "square" | "triangle" | "sine";
  /** Number of oscillators per note. */
  unison: number;
  /** Largest deviation of an oscillator from the note, in cents. */
  detune: number;
  /** Stereo width of the oscillators, from 0 (all in the center) to 1 (from left to right). */
  spread: number;
  /** Cutoff of the low-pass filter in Hz, after the sweep. */
  cutoff: number;
  /** Octaves above `cutoff` at which the filter starts with each note. */
  sweepOctaves: number;
  /** Time constant of the sweep. */
  sweepSeconds: number;
  /** From 0 to 1, see `Filter`. */
  resonance: number;
  /** Amplitude envelope: `attack` and `release` are durations and `decay` is a time constant, in seconds; `sustain` is a level from 0 to 1. */
  attack: number;
  decay: number;
  sustain: number;
  release: number;
  /** Depth in cents; it fades in within half a second. */
  vibrato?: number;
  /** Level of a sine one octave below the note, 0 to 1. */
  sub?: number;
  /** Amount of saturation, 0 to 1. */
  drive?: number;
}

export interface Note {
  /** Duration until the release begins. */
  seconds: number;
  /** In Hz. */
  frequency: number;
  /** From -1 (left) to 1 (right). */
  pan?: number;
}

/** Samples between two updates of cutoff, vibrato and envelope. */
const CONTROL_INTERVAL = 16;

/** Correction that removes most of the aliasing of a step at phase 0 (polyBLEP); `phase` 0 to 1, `increment` is its change per sample. */
function polyBlep(phase: number, increment: number): number {
  if (phase < increment) {
    const t = phase / increment;
    return t + t - t * t - 1;
  }
  if (phase > 1 - increment) {
    const t = (phase - 1) / increment;
    return t * t + t + t + 1;
  }
  return 0;
}

/** Returns the sample of a waveform at `phase` (0 to 1). */
function oscillator(kind: Patch["wave"], phase: number, increment: number): number {
  if (kind === "saw") return 2 * phase - 1 - polyBlep(phase, increment);
  if (kind === "triangle") return 4 * Math.abs(phase - 0.5) - 1;
  if (kind === "sine") return Math.sin(2 * Math.PI * phase);
  return (phase < 0.5 ? 1 : -1) + polyBlep(phase, increment) - polyBlep(phase < 0.5 ? phase + 0.5 : phase - 0.5, increment);
}

/** Returns the amplitude, 0 to 1, at `t` seconds after the onset of a note that is released after `seconds`. */
function envelope(patch: Patch, t: number, seconds: number): number {
  const { attack, decay, sustain, release } = patch;
  const heldSeconds = Math.min(t, seconds);
  const level = heldSeconds < attack ? heldSeconds / attack : sustain + (1 - sustain) * Math.exp(-(heldSeconds - attack) / decay);
  return t <= seconds ? level : level * Math.exp((-4 * (t - seconds)) / release);
}

export const noteSeconds = (patch: Patch, { seconds }: Note): number => seconds + patch.release;

/** Renders a note into a track, which must be as long as `noteSeconds`. `phaseSeed`, 0 to 1, varies the start phases from note to note. */
export function renderNote(track: Track, patch: Patch, { seconds, frequency, pan = 0 }: Note, phaseSeed: number): void {
  const oscillators = Array.from({ length: patch.unison }, (_, n) => {
    const position = patch.unison === 1 ? 0 : (2 * n) / (patch.unison - 1) - 1;
    const [left, right] = panGains(position * patch.spread);
    return { increment: (frequency * 2 ** ((position * patch.detune) / 1_200)) / SAMPLE_RATE, phase: (phaseSeed + n * 0.37) % 1, left, right };
  });
  const [panLeft, panRight] = panGains(pan);
  const unisonGain = 1 / Math.sqrt(patch.unison);
  const [filterLeft, filterRight] = [new Filter(), new Filter()];
  const drive = 1 + 6 * (patch.drive ?? 0);
  let subPhase = 0;
  let vibratoRatio = 1;
  let level = 0;
  for (let i = 0; i < track.left.length; i++) {
    const t = i / SAMPLE_RATE;
    if (i % CONTROL_INTERVAL === 0) {
      const cutoff = patch.cutoff * 2 ** (patch.sweepOctaves * Math.exp(-t / patch.sweepSeconds));
      filterLeft.tune(cutoff, patch.resonance);
      filterRight.tune(cutoff, patch.resonance);
      vibratoRatio = patch.vibrato ? 2 ** ((patch.vibrato / 1_200) * Math.min(1, t * 2) * Math.sin(2 * Math.PI * 5.3 * t)) : 1;
      level = envelope(patch, t, seconds);
    }
    let left = 0;
    let right = 0;
    for (const state of oscillators) {
      state.phase += state.increment * vibratoRatio;
      if (state.phase >= 1) state.phase -= 1;
      const sample = oscillator(patch.wave, state.phase, state.increment);
      left += sample * state.left;
      right += sample * state.right;
    }
    filterLeft.process(left);
    filterRight.process(right);
    // The envelope changes in steps; only the first one is large enough to click, so the onset also ramps from 0 within 1/700 s.
    const amplitude = level * Math.min(1, t * 700);
    left = filterLeft.low;
    right = filterRight.low;
    if (patch.sub) {
      subPhase += (frequency * vibratoRatio) / SAMPLE_RATE / 2;
      const subSample = patch.sub * Math.sin(2 * Math.PI * subPhase);
      left += subSample;
      right += subSample;
    }
    if (patch.drive) {
      left = Math.tanh(left * drive) / Math.sqrt(drive);
      right = Math.tanh(right * drive) / Math.sqrt(drive);
    }
    track.left[i] = left * amplitude * unisonGain * panLeft;
    track.right[i] = right * amplitude * unisonGain * panRight;
  }
}
