/** Recognizes the chords of a track, as evidence for its key. */
import { matchAt, normalizeSum, standardize } from "./pitch-classes.ts";

/** A chord is its root's pitch class if it is major, plus `MINOR` if it is minor. */
export type Chord = number;
export const MINOR = 12;
const CHORDS = 24;

/** Strength of the root, third, fifth and seventh in a chord's pitch classes. */
const TONE_STRENGTHS = [1, 0.9, 0.8, 0.7] as const;
/** A seventh chord must match better than its triad by this much, because overtones resemble sevenths. */
const SEVENTH_PENALTY = 0.02;
/** Weight of the bass playing the root, relative to the match of the pitch classes (-1..1). */
const BASS_WEIGHT = 0.25;
/** Factor from matches to log probabilities. */
const SHARPNESS = 12;
/** Probability that a chord lasts until the next frame (0.37 s). */
const STAY_PROBABILITY = 0.75;

function createTemplate(intervals: readonly number[]): Float64Array {
  const tones = new Float64Array(12);
  for (const [n, interval] of intervals.entries()) tones[interval] = TONE_STRENGTHS[n]!;
  return standardize(tones);
}

const TRIADS = [createTemplate([0, 4, 7]), createTemplate([0, 3, 7])] as const;
const SEVENTHS = [[createTemplate([0, 4, 7, 11]), createTemplate([0, 4, 7, 10])], [createTemplate([0, 3, 7, 10])]] as const;

/** Returns the log likelihood of every chord in one frame. */
function scoreChords(pitches: Float64Array, bass: Float64Array): Float64Array {
  const standardized = standardize(pitches);
  const bassShares = normalizeSum(bass);
  return Float64Array.from({ length: CHORDS }, (_, chord) => {
    const root = chord % 12;
    const mode = chord < MINOR ? 0 : 1;
    const triad = matchAt(standardized, TRIADS[mode], root);
    const sevenths = SEVENTHS[mode].map((template) => matchAt(standardized, template, root) - SEVENTH_PENALTY);
    return SHARPNESS * (Math.max(triad, ...sevenths) + BASS_WEIGHT * bassShares[root]!);
  });
}

/** Returns the most probable chord of every frame (Viterbi), from its pitch classes and those of its bass. */
export function recognizeChords(pitches: readonly Float64Array[], bass: readonly Float64Array[]): Chord[] {
  const stay = Math.log(STAY_PROBABILITY);
  const change = Math.log((1 - STAY_PROBABILITY) / (CHORDS - 1));
  const origins: Uint8Array[] = [];
  let scores = new Float64Array(CHORDS);
  for (let t = 0; t < pitches.length; t++) {
    const emission = scoreChords(pitches[t]!, bass[t]!);
    const best = indexOfMax(scores);
    const origin = new Uint8Array(CHORDS);
    const next = new Float64Array(CHORDS);
    for (let chord = 0; chord < CHORDS; chord++) {
      const stays = scores[chord]! + stay >= scores[best]! + change;
      origin[chord] = stays ? chord : best;
      next[chord] = (stays ? scores[chord]! + stay : scores[best]! + change) + emission[chord]!;
    }
    origins.push(origin);
    scores = next;
  }
  const chords: Chord[] = Array.from({ length: pitches.length }, () => 0);
  let chord = indexOfMax(scores);
  for (let t = pitches.length - 1; t >= 0; t--) {
    chords[t] = chord;
    chord = origins[t]![chord]!;
  }
  return chords;
}

function indexOfMax(values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}
