/** Detects the key from chroma frames: estimates the tuning, then picks the best-fitting key profile, weighted by the bass notes. */
import { BINS, type ChromaFrame } from "./chroma.ts";

const MAJOR_NAMES = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"];
/** Minor keys use the customary sharps. */
const MINOR_NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"];

/** Chroma frames (0.37 s each) per segment, about ten seconds or a few chords. Segments let the main key outvote a late modulation. */
const SEGMENT_FRAMES = 27;
/** Number of opening frames whose bass hints at the tonic. */
const OPENING_FRAMES = 8;
/** Compresses magnitudes so that loud notes do not mask the others. */
const COMPRESSION_EXPONENT = 0.6;
/** Weights found by a search over the tuning set, then halved where they rely on a songwriting habit. */
const BASS_WEIGHT = 0.3;
const OPENING_WEIGHT = 0.12;
/** Score difference of the best two keys at which the confidence reaches 1. */
const CLEAR_MARGIN = 0.16;
/** Below this fit the audio counts as not tonal. */
const MIN_FIT = 0.35;
/** Below this confidence the key is reported as "unsure". */
const MIN_KEY_CONFIDENCE = 0.2;

/** Weights of the twelve pitch classes, starting at the tonic. Published profiles are normalized before they are blended. */
interface KeyProfiles {
  major: readonly number[];
  minor: readonly number[];
}

/** A. Faraldo et al., "Key estimation in electronic dance music" (ECIR 2016). */
export const EDMA: KeyProfiles = {
  major: [1, 0.2875, 0.502, 0.4048, 0.605, 0.5614, 0.3205, 0.7966, 0.3159, 0.4506, 0.4202, 0.3889],
  minor: [1, 0.3096, 0.4415, 0.5827, 0.3262, 0.4948, 0.2889, 0.7804, 0.4328, 0.2903, 0.5331, 0.3217],
};

/** C. Krumhansl and E. Kessler, "Tracing the dynamic changes in perceived tonal organization" (1982). */
export const KRUMHANSL: KeyProfiles = {
  major: [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  minor: [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
};

/** Equal blend of the two best profiles on labeled songs: one derived from club music, the other from listening experiments. */
const BLENDED_PROFILES: KeyProfiles = { major: blendProfiles(EDMA, KRUMHANSL, "major"), minor: blendProfiles(EDMA, KRUMHANSL, "minor") };

interface KeyGuess {
  /** `A minor`, `Eb major`. */
  name: string;
  /** Pitch class, 0 is C. */
  tonic: number;
  mode: "major" | "minor";
  /** Score relative to the best candidate, 0..1. */
  strength: number;
}

export interface Key {
  /** Empty when unsure. */
  name: string;
  /** 0..1. The key is reported from `MIN_KEY_CONFIDENCE` up. */
  confidence: number;
  /** Tuning offset in cents from A = 440 Hz. */
  tuningCents: number;
  /** Best candidates first, regardless of confidence. */
  candidates: KeyGuess[];
}

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

export const keyName = (tonic: number, mode: KeyGuess["mode"]): string => `${(mode === "major" ? MAJOR_NAMES : MINOR_NAMES)[tonic]!} ${mode}`;

const unknownKey = (): Key => ({ name: "", confidence: 0, tuningCents: 0, candidates: [] });

/** Returns the tuning offset in cents, -50..50, as the circular mean of the energy between semitones. */
function estimateTuning(sum: Float64Array): number {
  let x = 0;
  let y = 0;
  for (let bin = 0; bin < BINS; bin++) {
    x += sum[bin]! * Math.cos((2 * Math.PI * bin * 12) / BINS);
    y += sum[bin]! * Math.sin((2 * Math.PI * bin * 12) / BINS);
  }
  return (Math.atan2(y, x) / (2 * Math.PI)) * 100;
}

/** Sums vectors normalized to the same maximum, so that a quiet verse counts as much as a loud chorus. */
function sumNormalized(vectors: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(BINS);
  for (const vector of vectors) {
    const max = vector.reduce((a, b) => Math.max(a, b), 0);
    if (max > 0) for (let bin = 0; bin < BINS; bin++) sum[bin]! += vector[bin]! / max;
  }
  return sum;
}

/** Folds 36 bins into 12 pitch classes, corrected by the tuning offset. */
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

/** Returns the Pearson correlation between a profile and the pitch classes relative to `tonic`. */
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

function blendProfiles(a: KeyProfiles, b: KeyProfiles, mode: keyof KeyProfiles): number[] {
  const other = standardize(b[mode]);
  return standardize(a[mode]).map((value, i) => value + other[i]!);
}

/** Scales the profile to zero mean and unit length. */
function standardize(profile: readonly number[]): number[] {
  const mean = profile.reduce((a, b) => a + b, 0) / profile.length;
  const deviations = profile.map((value) => value - mean);
  const size = Math.hypot(...deviations);
  return deviations.map((value) => value / size);
}
