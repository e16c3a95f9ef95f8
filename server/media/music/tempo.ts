/**
 * Tempo from the onset curve, and how sure one may be. Three steps: how the curve repeats itself gives candidates
 * (`candidates.ts`), where the onsets lie within their beats decides between a beat and its multiples (`octave.ts`), and
 * how steady and how struck it all is says whether there is a beat at all.
 */
import { candidates, peaks } from "./candidates.ts";
import { choose } from "./octave.ts";
import { FRAMES_PER_SECOND, type OnsetCurve } from "./onset.ts";
import { lagOf, near, repetitions, type Repetitions, rhythmOf } from "./rhythm.ts";

/** Below this the answer is "unsure". */
export const TEMPO_SURE = 0.5;
const SHORTEST_SECONDS = 4;
/** A beat is struck: onsets of drums, guitars, bowed strings rise by this much and more; vibrato and swells do not (tuning songs: 6.6 and more, at most 4.7). */
const STRUCK = 7.5;
/** Long enough for an onset of a slow beat; the strongest of each such window are compared, and this share of them may be weak. */
const WINDOW_SECONDS = 1.25;
const WEAK_SHARE = 0.75;
/** The tempo is found again in stretches of this length: a beat is there all the time, chance is not. */
const STRETCH_SECONDS = 12;
const STRETCH_HOP_SECONDS = 6;
const CANDIDATES = 4;

export interface TempoGuess {
  bpm: number;
  /** Relative to the best one, 0..1. */
  strength: number;
}

export interface Tempo {
  /** Beats a minute; 0 when unsure. */
  bpm: number;
  /** 0..1; the beat is reported from `TEMPO_SURE` on. */
  confidence: number;
  /** Best ones first, whatever the confidence: what a person may choose from. */
  candidates: TempoGuess[];
}

const none = (): Tempo => ({ bpm: 0, confidence: 0, candidates: [] });

const sameBeat = (a: number, b: number): boolean => [1, 2, 0.5, 3, 1 / 3].some((times) => Math.abs(a / (b * times) - 1) < 0.03);

/** Share of the stretches that by themselves find this tempo or a simple multiple of it. */
function agreement({ all, low }: OnsetCurve, bpm: number): number {
  const size = Math.round(STRETCH_SECONDS * FRAMES_PER_SECOND);
  const hop = Math.round(STRETCH_HOP_SECONDS * FRAMES_PER_SECOND);
  let agree = 0;
  let count = 0;
  for (let from = 0; from === 0 || from + size <= all.length; from += hop) {
    const part = { all: all.subarray(from, from + size), low: low.subarray(from, from + size) };
    const best = peaks(repetitions(part, size / 2))[0];
    count++;
    if (best && sameBeat(best.bpm, bpm)) agree++;
  }
  return agree / count;
}

/** How much of the curve repeats after one beat, two, or a bar. */
function strength({ all }: Repetitions, bpm: number): number {
  return Math.sqrt(Math.max(0, ...[1, 2, 3, 4].map((beats) => near(all, beats * lagOf(bpm)))));
}

/** 0..1: how much the strongest onsets sound like something being struck or bowed anew. */
function attack(curve: Float64Array): number {
  const size = Math.round(WINDOW_SECONDS * FRAMES_PER_SECOND);
  const strongest = Float64Array.from({ length: Math.floor(curve.length / size) }, (_, n) =>
    curve.subarray(n * size, (n + 1) * size).reduce((a, b) => Math.max(a, b)),
  );
  return Math.min(1, (strongest.toSorted()[Math.floor((strongest.length - 1) * WEAK_SHARE)]! / STRUCK) ** 2);
}

export function findTempo(curve: OnsetCurve): Tempo {
  if (curve.all.length < SHORTEST_SECONDS * FRAMES_PER_SECOND) return none();
  const rhythm = rhythmOf(curve);
  const chosen = choose(rhythm, candidates(rhythm.repeats));
  const best = chosen[0];
  if (!best) return none();
  const confidence = Math.min(1, strength(rhythm.repeats, best.bpm) * agreement(rhythm.onsets, best.bpm) * attack(curve.all), best.chance);
  return {
    bpm: confidence >= TEMPO_SURE ? tidy(best.bpm) : 0,
    confidence: Number(confidence.toFixed(3)),
    candidates: chosen.slice(0, CANDIDATES).map(({ bpm, chance }) => ({ bpm: tidy(bpm), strength: Number((chance / best.chance).toFixed(3)) })),
  };
}

/** One decimal is what the method is good for. */
const tidy = (bpm: number): number => Math.round(bpm * 10) / 10;
