/** Detects the key of a track: weighs the evidence for all 24 keys and tells how probable the best one is. */
import type { ChromaFrame } from "./chroma.ts";
import { collectKeyEvidence, type KeyEvidence, type Mode } from "./key-evidence.ts";
import { BLENDED, type KeyProfiles } from "./key-profiles.ts";

const MAJOR_NAMES = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"];
/** Minor keys use the customary sharps. */
const MINOR_NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"];

/** Below this fit to the best key's profile the audio counts as not tonal. */
const MIN_FIT = 0.35;
/** Below this probability the key is reported as "unsure". */
const MIN_KEY_CONFIDENCE = 0.75;
const MAX_CANDIDATES = 4;

/** Evidence for a key of one mode, or of both. */
type Feature = readonly [name: string, weight: number, of: (evidence: KeyEvidence) => number, mode?: Mode];

/**
 * Evidence features for and against a key. The weights come from a conditional logistic regression (which key is right)
 * over labeled tuning songs, printed by `bench/media/fit-key.ts`. Of 31 features, these remained after repeatedly
 * removing the least useful one, evaluated on progressions that were not fitted on.
 */
export const FEATURES: readonly Feature[] = [
  ["notes fit the profile", 10.56, ({ fit }) => fit],
  ["minor", 2.74, () => 1, "minor"],
  ["bass on the fifth", 5.74, ({ bass }) => bass(7)],
  ["opens with the tonic chord", 3.4, ({ opening }) => opening],
  ["closes with the tonic chord", 1.31, ({ closing }) => closing],
  ["iii", 4.88, ({ chord }) => chord(4, "minor"), "major"],
  ["IV", 4.17, ({ chord }) => chord(5, "major"), "major"],
  ["vi", 5.65, ({ chord }) => chord(9, "minor"), "major"],
  ["bVII", -2.11, ({ chord }) => chord(10, "major"), "major"],
  ["V to I", 7.81, ({ cadence }) => cadence(7, "major"), "major"],
  ["bVII to I", -17.29, ({ cadence }) => cadence(10, "major"), "major"],
  ["III", -4.3, ({ chord }) => chord(3, "major"), "minor"],
  ["v", -4.72, ({ chord }) => chord(7, "minor"), "minor"],
  ["VII to i", 6.51, ({ cadence }) => cadence(10, "major"), "minor"],
];

interface KeyGuess {
  /** `A minor`, `Eb major`. */
  name: string;
  /** Pitch class, 0 is C. */
  tonic: number;
  mode: Mode;
  /** Probability relative to the best candidate, 0..1. */
  strength: number;
}

export interface Key {
  /** Empty when unsure. */
  name: string;
  /** Probability that the best candidate is right, 0..1. The key is reported from `MIN_KEY_CONFIDENCE` up. */
  confidence: number;
  /** Tuning offset in cents from A = 440 Hz. */
  tuningCents: number;
  /** Best candidates first, regardless of confidence. */
  candidates: KeyGuess[];
}

/** Returns the values of `FEATURES` for one key. */
export const computeKeyFeatures = (evidence: KeyEvidence): number[] =>
  FEATURES.map(([, , evaluate, mode]) => (mode === undefined || mode === evidence.mode ? evaluate(evidence) : 0));

export function findKey(frames: readonly ChromaFrame[], profiles: KeyProfiles = BLENDED): Key {
  const evidence = collectKeyEvidence(frames, profiles);
  if (!evidence) return { name: "", confidence: 0, tuningCents: 0, candidates: [] };
  const scored = evidence.keys
    .map((key) => ({ key, score: computeKeyFeatures(key).reduce((sum, value, n) => sum + value * FEATURES[n]![1], 0) }))
    .toSorted((a, b) => b.score - a.score);
  const best = scored[0]!;
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0);
  const confidence = best.key.fit < MIN_FIT ? 0 : 1 / total;
  return {
    name: confidence >= MIN_KEY_CONFIDENCE ? keyName(best.key.tonic, best.key.mode) : "",
    confidence: Number(confidence.toFixed(3)),
    tuningCents: Math.round(evidence.cents),
    candidates: scored.slice(0, MAX_CANDIDATES).map(({ key: { tonic, mode }, score }) => ({
      name: keyName(tonic, mode),
      tonic,
      mode,
      strength: Number(Math.exp(score - best.score).toFixed(3)),
    })),
  };
}

export const keyName = (tonic: number, mode: Mode): string => `${(mode === "major" ? MAJOR_NAMES : MINOR_NAMES)[tonic]!} ${mode}`;
