/** Key from pitch classes over time: tuning first, then the profile that fits best. */
import { BINS } from "./chroma.ts";
import { EDMA, type KeyProfiles } from "./profiles.ts";

const NAMES = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"] as const;
/** Minor keys are written with the sharps that musicians expect. */
const MINOR_NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"] as const;

export interface KeyGuess {
  /** `A minor`, `Eb major`. */
  name: string;
  tonic: number;
  mode: "major" | "minor";
  confidence: number;
}

export interface Key {
  /** Empty string when unsure. */
  name: string;
  confidence: number;
  /** Cents above (or below) A = 440 Hz. */
  tuningCents: number;
  /** Best ones first, whatever the confidence. */
  candidates: KeyGuess[];
}

const STEP = BINS / 12;
export const KEY_SURE = 0.1;
const NONE: Key = { name: "", confidence: 0, tuningCents: 0, candidates: [] };

export const keyName = (tonic: number, mode: KeyGuess["mode"]): string => `${(mode === "major" ? NAMES : MINOR_NAMES)[tonic]!} ${mode}`;

/** Circular mean of where between two semitones the energy lies, -50..50. */
export function tuningOf(sum: Float64Array): number {
  let x = 0;
  let y = 0;
  for (let bin = 0; bin < BINS; bin++) {
    x += sum[bin]! * Math.cos((2 * Math.PI * bin) / STEP);
    y += sum[bin]! * Math.sin((2 * Math.PI * bin) / STEP);
  }
  return (Math.atan2(y, x) / (2 * Math.PI)) * 100;
}

/** 36 bins to 12 pitch classes, moved by the tuning. */
function fold(sum: Float64Array, cents: number): Float64Array {
  const shift = (cents / 100) * STEP;
  return Float64Array.from({ length: 12 }, (_, pitch) => {
    let total = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const away = ((((bin - shift - pitch * STEP) % BINS) + BINS * 1.5) % BINS) - BINS / 2;
      total += sum[bin]! * Math.max(0, 1 - Math.abs(away) / (STEP / 2 + 0.5));
    }
    return total;
  });
}

function correlation(a: readonly number[] | Float64Array, b: readonly number[], turn: number): number {
  let sa = 0;
  let sb = 0;
  for (let i = 0; i < 12; i++) {
    sa += a[i]!;
    sb += b[i]!;
  }
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < 12; i++) {
    const x = a[(i + turn) % 12]! - sa / 12;
    const y = b[i]! - sb / 12;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

export function findKey(moments: readonly Float64Array[], profiles: KeyProfiles = EDMA): Key {
  const sum = new Float64Array(BINS);
  for (const moment of moments) {
    const size = Math.max(...moment);
    if (size > 0) for (let bin = 0; bin < BINS; bin++) sum[bin]! += moment[bin]! / size;
  }
  if (moments.length === 0 || !sum.some((value) => value > 0)) return NONE;
  const cents = tuningOf(sum);
  const pitches = fold(sum, cents);
  const all = (["major", "minor"] as const)
    .flatMap((mode) => Array.from({ length: 12 }, (_, tonic): KeyGuess => ({ name: keyName(tonic, mode), tonic, mode, confidence: correlation(pitches, profiles[mode], tonic) })))
    .toSorted((a, b) => b.confidence - a.confidence);
  const [best, second] = all as [KeyGuess, KeyGuess];
  return { name: best.name, confidence: best.confidence - second.confidence, tuningCents: Math.round(cents), candidates: all.slice(0, 4) };
}
