/**
 * Ranks tempo candidates to find the tempo a listener taps, choosing between a beat, its halves, doubles and thirds. A
 * track repeats after two beats as well as after one, so repetition alone favors the slower tempo. The counterevidence
 * is a low band as strong between the beats as on them, and more onsets per beat than people play.
 */
import { FRAMES_PER_SECOND } from "./onset.ts";
import { interpolate, beatLag, maxNear, type Rhythm } from "./rhythm.ts";

/** Tempo near which most music lies. */
const RANKING_PRIOR_BPM = 120;
/** Segment length over which beats keep their phase, even when played by people. */
const SEGMENT_SECONDS = 8;
/** Maximum number of evenly spread segments, which is enough for a long file. */
const MAX_SEGMENTS = 60;
/** Frames by which the phase search advances, and by which an onset may miss the beat. */
const PHASE_STEP = 2;
const ONSET_TOLERANCE_FRAMES = 1.5;
/** An onset counts if it reaches `EVENT_SHARE` of the onset at quantile `STRONG_SHARE` and is `EVENT_FRAMES` or more after the previous one. */
const EVENT_SHARE = 0.15;
const STRONG_SHARE = 0.97;
const EVENT_FRAMES = 6;

/** Evidence for one tempo of a track. */
interface TempoEvidence {
  /** Returns the highest autocorrelation after any of the given numbers of beats. */
  all: (...beats: number[]) => number;
  low: (...beats: number[]) => number;
  /** Low-band onsets a quarter beat off the beat, as a share of those plus the ones on the beat. */
  lowQuarter: number;
  bpm: number;
  /** Onsets per beat. */
  events: number;
}

/**
 * Evidence features for and against a tempo. The weights come from a conditional logistic regression (which candidate is
 * right) over the labeled tuning songs, printed by `bench/media/fit-tempo.ts`. Of 35 features, these twelve remained
 * after repeatedly removing the least useful one, evaluated on styles that were not fitted on.
 */
export const FEATURES: readonly [name: string, weight: number, of: (evidence: TempoEvidence) => number][] = [
  ["repeats after a beat", 3.2, ({ all }) => all(1)],
  ["after two", 3.2, ({ all }) => all(2)],
  ["after four", 2.3, ({ all }) => all(4)],
  ["after a bar of three or four", 6.2, ({ all }) => all(3, 4)],
  ["low band: half a beat", -2.1, ({ low }) => low(1 / 2)],
  ["low band: three quarters", 3.2, ({ low }) => low(3 / 4)],
  ["low band: a beat", 3.8, ({ low }) => low(1)],
  ["low band: two or three", 3.3, ({ low }) => low(2, 3)],
  ["low band: a bar of three or four", 5.4, ({ low }) => low(3, 4)],
  ["low band between the beats", -4.3, ({ lowQuarter }) => lowQuarter],
  ["squared octaves from the usual tempo", -2.3, ({ bpm }) => Math.log2(bpm / RANKING_PRIOR_BPM) ** 2],
  ["squared octaves from one onset a beat", -0.8, ({ events }) => Math.log2(events) ** 2],
];

/** Returns the number of salient onsets per second. */
function eventRate(onsets: Float64Array): number {
  const strongOnset = onsets.toSorted()[Math.floor((onsets.length - 1) * STRONG_SHARE)]!;
  let events = 0;
  let last = -EVENT_FRAMES;
  for (let i = 1; i + 1 < onsets.length; i++) {
    const value = onsets[i]!;
    if (value < EVENT_SHARE * strongOnset || value < onsets[i - 1]! || value <= onsets[i + 1]! || i - last < EVENT_FRAMES) continue;
    events++;
    last = i;
  }
  return (events * FRAMES_PER_SECOND) / onsets.length;
}

/** Returns the mean onset strength every `step` frames, starting at `from`. */
function pulse(onsets: Float64Array, from: number, to: number, step: number): number {
  let sum = 0;
  let count = 0;
  for (let i = from; i + PHASE_STEP < to; i += step, count++)
    sum += Math.max(interpolate(onsets, i - ONSET_TOLERANCE_FRAMES), interpolate(onsets, i), interpolate(onsets, i + ONSET_TOLERANCE_FRAMES));
  return count > 0 ? sum / count : 0;
}

/** Computes `lowQuarter`. Each segment has its own beat phase: the offset with the strongest beats, every second one weighted by its low band. */
function offbeatShare({ onsets: { all, low } }: Rhythm, lag: number): number {
  const size = Math.min(all.length, Math.round(SEGMENT_SECONDS * FRAMES_PER_SECOND));
  const hop = Math.max(size, Math.floor(all.length / MAX_SEGMENTS));
  const bar = 2 * lag;
  let on = 0;
  let off = 0;
  for (let from = 0; from + size <= all.length; from += hop) {
    const to = from + size;
    let phase = 0;
    let maxPulse = -1;
    for (let offset = 0; offset < bar; offset += PHASE_STEP) {
      const strength = pulse(all, from + offset, to, bar) + pulse(all, from + offset + lag, to, bar) + 2 * pulse(low, from + offset, to, bar);
      if (strength > maxPulse) [maxPulse, phase] = [strength, offset];
    }
    const pulseAt = (beats: number): number => pulse(low, from + ((phase + beats * lag) % bar), to, bar);
    on += pulseAt(0) + pulseAt(1);
    off += pulseAt(1 / 4) + pulseAt(3 / 4);
  }
  return off / (on + off + 1e-6);
}

/** Returns the values of `FEATURES` for every candidate. */
export function computeFeatures(rhythm: Rhythm, candidates: readonly number[]): number[][] {
  const events = Math.max(0.3, eventRate(rhythm.onsets.all));
  const maxNearBeats =
    (curve: Float64Array, lag: number) =>
    (...beats: number[]) =>
      Math.max(...beats.map((beat) => maxNear(curve, beat * lag)));
  return candidates.map((bpm) => {
    const lag = beatLag(bpm);
    const { all, low } = rhythm.autocorrelation;
    const evidence: TempoEvidence = {
      all: maxNearBeats(all, lag),
      low: maxNearBeats(low, lag),
      lowQuarter: offbeatShare(rhythm, lag),
      bpm,
      events: (events * 60) / bpm,
    };
    return FEATURES.map(([, , evaluate]) => evaluate(evidence));
  });
}

/** Returns the candidates, best first, each with the probability that it is the right one. */
export function rankTempos(rhythm: Rhythm, candidates: readonly number[]): { bpm: number; probability: number }[] {
  const weights = computeFeatures(rhythm, candidates).map((values) => Math.exp(values.reduce((sum, value, k) => sum + value * FEATURES[k]![1], 0)));
  const total = weights.reduce((a, b) => a + b, 0);
  return candidates.map((bpm, n) => ({ bpm, probability: weights[n]! / total })).toSorted((a, b) => b.probability - a.probability);
}
