/** Key from pitch classes over time: tuning first, then the key whose profile fits best, helped by what the bass plays. */
import { BINS, type ChromaFrame } from "./chroma.ts";
import { BLENDED_PROFILES, type KeyProfiles } from "./profiles.ts";

const MAJOR_NAMES = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"];
/** Minor keys with the sharps that musicians expect. */
const MINOR_NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"];

/** Moments (0.37 s) of a stretch: about ten seconds, a few chords; a modulation late in the song is outvoted. */
const SEGMENT_FRAMES = 27;
/** Moments at the start whose bass hints at the tonic. */
const OPENING_FRAMES = 8;
/** Loud notes must not drown the others. */
const COMPRESSION_EXPONENT = 0.6;
/** Found by search over the tuning set like the tempo's weights, then halved where a songwriter's habit is counted on. */
const BASS_WEIGHT = 0.3;
const OPENING_WEIGHT = 0.12;
/** Difference of the best two fits at which the first one is as good as certain. */
const CLEAR_MARGIN = 0.16;
/** Below this fit nothing tonal was heard. */
const MIN_FIT = 0.35;
/** Below this the answer is "unsure". */
export const MIN_KEY_CONFIDENCE = 0.2;

export interface KeyGuess {
  /** `A minor`, `Eb major`. */
  name: string;
  /** Pitch class, 0 is C. */
  tonic: number;
  mode: "major" | "minor";
  /** Fit, relative to the best one, 0..1. */
  strength: number;
}

export interface Key {
  /** Empty when unsure. */
  name: string;
  /** 0..1; the key is reported from `MIN_KEY_CONFIDENCE` on. */
  confidence: number;
  /** Cents above (or below) A = 440 Hz. */
  tuningCents: number;
  /** Best ones first, whatever the confidence. */
  candidates: KeyGuess[];
}

const unknownKey = (): Key => ({ name: "", confidence: 0, tuningCents: 0, candidates: [] });

export const keyName = (tonic: number, mode: KeyGuess["mode"]): string => `${(mode === "major" ? MAJOR_NAMES : MINOR_NAMES)[tonic]!} ${mode}`;

/** Circular mean of where between two semitones the energy lies, -50..50. */
function estimateTuning(sum: Float64Array): number {
  let x = 0;
  let y = 0;
  for (let bin = 0; bin < BINS; bin++) {
    x += sum[bin]! * Math.cos((2 * Math.PI * bin * 12) / BINS);
    y += sum[bin]! * Math.sin((2 * Math.PI * bin * 12) / BINS);
  }
  return (Math.atan2(y, x) / (2 * Math.PI)) * 100;
}

/** Sum of vectors, each brought to the same height, so that a loud chorus counts like a quiet verse. */
function sumNormalized(vectors: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(BINS);
  for (const vector of vectors) {
    const max = vector.reduce((a, b) => Math.max(a, b), 0);
    if (max > 0) for (let bin = 0; bin < BINS; bin++) sum[bin]! += vector[bin]! / max;
  }
  return sum;
}

/** 36 bins to 12 pitch classes, moved by the tuning. */
function foldToPitchClasses(sum: Float64Array, cents: number): Float64Array {
  const step = BINS / 12;
  const shift = (cents / 100) * step;
  return Float64Array.from({ length: 12 }, (_, pitch) => {
    let out = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const distance = ((((bin - shift - pitch * step) % BINS) + BINS * 1.5) % BINS) - BINS / 2;
      out += sum[bin]! * Math.max(0, 1 - Math.abs(distance) / 2);
    }
    return out;
  });
}

/** Pearson correlation of the pitch classes, seen from `tonic`, with a profile. */
function correlation(pitches: Float64Array, profile: readonly number[], tonic: number): number {
  const mean = pitches.reduce((a, b) => a + b, 0) / 12;
  const profileMean = profile.reduce((a, b) => a + b, 0) / 12;
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < 12; i++) {
    const x = pitches[(i + tonic) % 12]! - mean;
    const y = profile[i]! - profileMean;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

const normalizeSum = (pitches: Float64Array): Float64Array => {
  const sum = pitches.reduce((a, b) => a + b, 0);
  return sum > 0 ? pitches.map((value) => value / sum) : pitches;
};

export function findKey(frames: readonly ChromaFrame[], profiles: KeyProfiles = BLENDED_PROFILES): Key {
  const chromaSum = sumNormalized(frames.map(({ all }) => all));
  if (!chromaSum.some((value) => value > 0)) return unknownKey();
  const cents = estimateTuning(chromaSum);
  const segments: Float64Array[] = [];
  for (let from = 0; from < frames.length; from += SEGMENT_FRAMES) {
    const pitches = foldToPitchClasses(sumNormalized(frames.slice(from, from + SEGMENT_FRAMES).map(({ all }) => all)), cents);
    segments.push(pitches.map((value) => value ** COMPRESSION_EXPONENT));
  }
  const bass = normalizeSum(foldToPitchClasses(sumNormalized(frames.map((frame) => frame.bass)), cents));
  const openingBass = normalizeSum(foldToPitchClasses(sumNormalized(frames.slice(0, OPENING_FRAMES).map((frame) => frame.bass)), cents));
  const guesses = (["major", "minor"] as const)
    .flatMap((mode) =>
      Array.from({ length: 12 }, (_, tonic) => {
        const fit = segments.reduce((sum, pitches) => sum + correlation(pitches, profiles[mode], tonic), 0) / segments.length;
        return { tonic, mode, fit, score: fit + BASS_WEIGHT * bass[tonic]! + OPENING_WEIGHT * openingBass[tonic]! };
      }),
    )
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = [guesses[0]!, guesses[1]!];
  const confidence = best.fit < MIN_FIT ? 0 : Math.min(1, (best.score - second.score) / CLEAR_MARGIN);
  const name = keyName(best.tonic, best.mode);
  const candidates = guesses
    .slice(0, 4)
    .map(({ tonic, mode, score }) => ({ name: keyName(tonic, mode), tonic, mode, strength: Number(Math.max(0, score / best.score).toFixed(3)) }));
  return { name: confidence >= MIN_KEY_CONFIDENCE ? name : "", confidence: Number(confidence.toFixed(3)), tuningCents: Math.round(cents), candidates };
}
