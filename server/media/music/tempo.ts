/**
 * Detects the tempo and its confidence from the onset curve in three steps. The autocorrelation yields candidates
 * (`candidates.ts`), the onset positions within the beats decide between a beat and its multiples (`octave.ts`), and the
 * steadiness and attack of the onsets decide whether there is a beat at all.
 */
import { findTempoCandidates, findTempoPeaks } from "./candidates.ts";
import { rankTempos } from "./octave.ts";
import { FRAMES_PER_SECOND, type OnsetCurve } from "./onset.ts";
import { beatLag, maxNear, autocorrelateOnsets, type Autocorrelation, analyzeRhythm } from "./rhythm.ts";

/** Below this confidence the tempo is reported as "unsure". */
export const MIN_TEMPO_CONFIDENCE = 0.5;
const MIN_SECONDS = 4;
/**
 * Minimum rise of a struck onset. Drums, guitars and bowed strings exceed it, vibrato and swells do not (tuning songs:
 * at least 6.6 against at most 4.7).
 */
const ATTACK_THRESHOLD = 7.5;
/**
 * `attack` rates the strongest onset of each window, which is long enough to contain an onset of a slow beat. The share
 * `WEAK_SHARE` of these onsets may be weak.
 */
const WINDOW_SECONDS = 1.25;
const WEAK_SHARE = 0.75;
/** The tempo must also appear in segments of this length, because a real beat persists and chance does not. */
const SEGMENT_SECONDS = 12;
const SEGMENT_HOP_SECONDS = 6;
const MAX_CANDIDATES = 4;

export interface TempoGuess {
  bpm: number;
  /** Relative to the best candidate, 0..1. */
  strength: number;
}

export interface Tempo {
  /** Beats per minute, or 0 when unsure. */
  bpm: number;
  /** 0..1. The tempo is reported from `MIN_TEMPO_CONFIDENCE` up. */
  confidence: number;
  /** Best candidates first, regardless of confidence, for a person to choose from. */
  candidates: TempoGuess[];
}

const unknownTempo = (): Tempo => ({ bpm: 0, confidence: 0, candidates: [] });

const isSameBeat = (a: number, b: number): boolean => [1, 2, 0.5, 3, 1 / 3].some((ratio) => Math.abs(a / (b * ratio) - 1) < 0.03);

/** Returns the share of segments in which this tempo or a simple multiple of it is detected independently. */
function agreement({ all, low }: OnsetCurve, bpm: number): number {
  const size = Math.round(SEGMENT_SECONDS * FRAMES_PER_SECOND);
  const hop = Math.round(SEGMENT_HOP_SECONDS * FRAMES_PER_SECOND);
  let agreeCount = 0;
  let count = 0;
  for (let from = 0; from === 0 || from + size <= all.length; from += hop) {
    const part = { all: all.subarray(from, from + size), low: low.subarray(from, from + size) };
    const best = findTempoPeaks(autocorrelateOnsets(part, size / 2))[0];
    count++;
    if (best && isSameBeat(best.bpm, bpm)) agreeCount++;
  }
  return agreeCount / count;
}

/** Returns how strongly the curve repeats after one to four beats. */
function strength({ all }: Autocorrelation, bpm: number): number {
  return Math.sqrt(Math.max(0, ...[1, 2, 3, 4].map((beats) => maxNear(all, beats * beatLag(bpm)))));
}

/** Returns 0..1 for how much the strongest onsets resemble a struck or newly bowed note. */
function attack(curve: Float64Array): number {
  const size = Math.round(WINDOW_SECONDS * FRAMES_PER_SECOND);
  const strongest = Float64Array.from({ length: Math.floor(curve.length / size) }, (_, n) =>
    curve.subarray(n * size, (n + 1) * size).reduce((a, b) => Math.max(a, b)),
  );
  return Math.min(1, (strongest.toSorted()[Math.floor((strongest.length - 1) * WEAK_SHARE)]! / ATTACK_THRESHOLD) ** 2);
}

export function findTempo(curve: OnsetCurve): Tempo {
  if (curve.all.length < MIN_SECONDS * FRAMES_PER_SECOND) return unknownTempo();
  const rhythm = analyzeRhythm(curve);
  const ranked = rankTempos(rhythm, findTempoCandidates(rhythm.autocorrelation));
  const best = ranked[0];
  if (!best) return unknownTempo();
  const confidence = Math.min(1, strength(rhythm.autocorrelation, best.bpm) * agreement(rhythm.onsets, best.bpm) * attack(curve.all), best.probability);
  return {
    bpm: confidence >= MIN_TEMPO_CONFIDENCE ? roundBpm(best.bpm) : 0,
    confidence: Number(confidence.toFixed(3)),
    candidates: ranked
      .slice(0, MAX_CANDIDATES)
      .map(({ bpm, probability }) => ({ bpm: roundBpm(bpm), strength: Number((probability / best.probability).toFixed(3)) })),
  };
}

/** Rounds to one decimal, the accuracy of the method. */
const roundBpm = (bpm: number): number => Math.round(bpm * 10) / 10;
