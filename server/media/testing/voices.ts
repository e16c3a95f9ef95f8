/** Synthesizes simple drums and instruments into a track, not realistic but sufficient for tests. */
import type { Random } from "./random.ts";

export interface Track {
  rate: number;
  samples: Float32Array;
}

const TAU = 2 * Math.PI;

function add(track: Track, at: number, seconds: number, sample: (t: number) => number): void {
  const from = Math.round(at * track.rate);
  const count = Math.min(Math.round(seconds * track.rate), track.samples.length - from);
  for (let i = Math.max(0, -from); i < count; i++) track.samples[from + i]! += sample(i / track.rate);
}

export function kick(track: Track, at: number, gain: number, low = 48): void {
  add(track, at, 0.3, (t) => gain * Math.exp(-t * 12) * Math.sin(TAU * (low * t + 3.2 * (1 - Math.exp(-t * 40)))));
}

export function snare(track: Track, at: number, gain: number, random: Random, tone = 190): void {
  add(track, at, 0.22, (t) => gain * (0.7 * Math.exp(-t * 22) * (random.next() * 2 - 1) + 0.5 * Math.exp(-t * 30) * Math.sin(TAU * tone * t)));
}

/** Adds high-passed noise. `seconds` is 0.04 for a closed and 0.3 for an open hi-hat. */
export function hat(track: Track, at: number, gain: number, random: Random, seconds = 0.05): void {
  let before = 0;
  let older = 0;
  add(track, at, seconds * 2, (t) => {
    const noise = random.next() * 2 - 1;
    const high = noise - 1.6 * before + 0.7 * older;
    older = before;
    before = noise;
    return gain * 0.5 * Math.exp((-t * 3) / seconds) * high;
  });
}

export function tom(track: Track, at: number, gain: number, hertz: number): void {
  add(track, at, 0.35, (t) => gain * Math.exp(-t * 9) * Math.sin(TAU * hertz * (t + 0.02 * (1 - Math.exp(-t * 25)))));
}

export function click(track: Track, at: number, gain: number, hertz: number): void {
  add(track, at, 0.06, (t) => gain * Math.exp(-t * 70) * (Math.sin(TAU * hertz * t) + 0.5 * Math.sin(TAU * hertz * 1.51 * t)));
}

export interface Tone {
  /** Harmonic amplitudes, fundamental first. */
  harmonics: readonly number[];
  attack: number;
  /** Decay time constant in seconds. Infinity sustains. */
  decay: number;
  release: number;
  vibratoCents?: number;
}

export const TONES = {
  organ: { harmonics: [1, 0.6, 0.5, 0.3, 0, 0.2], attack: 0.01, decay: Infinity, release: 0.05 },
  piano: { harmonics: [1, 0.7, 0.45, 0.3, 0.2, 0.12, 0.08], attack: 0.003, decay: 0.7, release: 0.1 },
  pad: { harmonics: [1, 0.5, 0.3, 0.2, 0.12], attack: 0.35, decay: Infinity, release: 0.5, vibratoCents: 6 },
  pluck: { harmonics: [1, 0.8, 0.6, 0.5, 0.35, 0.25, 0.2, 0.15], attack: 0.002, decay: 0.22, release: 0.05 },
  lead: { harmonics: [1, 0.5, 0.33, 0.25, 0.2, 0.17, 0.14], attack: 0.01, decay: Infinity, release: 0.06, vibratoCents: 12 },
  bass: { harmonics: [1, 0.55, 0.3, 0.15, 0.08], attack: 0.005, decay: 0.9, release: 0.04 },
  sub: { harmonics: [1, 0.12], attack: 0.01, decay: Infinity, release: 0.05 },
  growl: { harmonics: [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45, 0.4, 0.35], attack: 0.005, decay: Infinity, release: 0.04 },
  bell: { harmonics: [1, 0, 0.6, 0, 0.35, 0, 0.2], attack: 0.002, decay: 0.5, release: 0.2 },
  strings: { harmonics: [1, 0.7, 0.5, 0.4, 0.3, 0.22, 0.16, 0.1], attack: 0.12, decay: Infinity, release: 0.2, vibratoCents: 15 },
} satisfies Record<string, Tone>;

export type ToneName = keyof typeof TONES;

export function addNote(track: Track, at: number, seconds: number, hertz: number, gain: number, tone: Tone): void {
  const { attack, decay, release, vibratoCents = 0 } = tone;
  const partials = tone.harmonics.flatMap((amplitude, index) =>
    amplitude > 0 && hertz * (index + 1) < track.rate * 0.45 ? [{ size: amplitude, at: index + 1 }] : [],
  );
  const norm = gain / Math.sqrt(tone.harmonics.reduce((sum, amplitude) => sum + amplitude * amplitude, 0));
  const bend = ((vibratoCents / 1_200) * Math.LN2) / (TAU * 5.2);
  add(track, at, seconds + release, (t) => {
    const envelope = Math.min(1, t / attack) * (decay === Infinity ? 1 : Math.exp(-t / decay)) * (t > seconds ? Math.max(0, 1 - (t - seconds) / release) : 1);
    const phase = TAU * hertz * (t + bend * Math.sin(TAU * 5.2 * t));
    let sum = 0;
    for (const { size: amplitude, at: times } of partials) sum += amplitude * Math.sin(phase * times);
    return norm * envelope * sum;
  });
}

export const midiToHertz = (midi: number, cents = 0): number => 440 * 2 ** ((midi - 69) / 12 + cents / 1_200);
