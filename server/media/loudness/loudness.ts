/** Measures loudness (ITU-R BS.1770-5, EBU Tech 3342) and defects of one decoded file and derives warnings for people. */
import type { ChannelLayout } from "node-av/lib";
import type { Block } from "../engine/samples.ts";
import { type DefectPlaces, type Defects, DefectSink, MIN_CORRELATION } from "./defects.ts";
import { KWeighting } from "./k-weighting.ts";
import type { Place } from "./places.ts";
import { TruePeak } from "./true-peak.ts";

export interface Loudness {
  /** LUFS. Null for silence and below 0.4 s. */
  integrated: number | null;
  /** LU. Null below 3 s. */
  range: number | null;
  /** LUFS of the loudest 0.4 s and 3 s. */
  momentaryMax: number | null;
  shortTermMax: number | null;
  /** dBTP and dBFS. Null for digital silence. */
  truePeak: number | null;
  samplePeak: number | null;
  defects: Defects;
  warnings: Warning[];
}

interface Warning {
  code: "clipping" | "true-peak" | "silence-head" | "silence-tail" | "silent" | "phase" | "mono-loss" | "dual-mono" | "dead-channel" | "balance";
  text: string;
  /** Where it is; empty if it concerns the whole file. */
  places: Place[];
}

/** Energies are measured in steps of 10 ms. The maxima are found on this grid, which is at most 0.06 LU below a maximum between its points. */
const STEPS_PER_SECOND = 100;
const MOMENTARY_STEPS = 40;
const SHORT_TERM_STEPS = 300;
/** The gated measurements use every tenth window, because the standards define them for windows 100 ms apart. */
const GATED_STEPS = 10;

/** BS.1770: the loudness of a power is `LOUDNESS_OFFSET` + 10 log10(power). Both constants are in LUFS. */
const LOUDNESS_OFFSET = -0.691;
const ABSOLUTE_GATE = -70;

const speakers = (...bits: number[]): bigint => bits.reduce((mask, bit) => mask | (1n << BigInt(bit)), 0n);
/** Bits of FFmpeg's channel mask. */
const LFE = speakers(3, 35);
const BACK_PAIR = speakers(4, 5);
const SIDE_PAIR = speakers(9, 10);
/** Wide (60 degrees), surround direct and side surround speakers. */
const OTHER_SURROUND = speakers(31, 32, 33, 34, 41, 42);
const SURROUND_WEIGHT = 1.41;

const MAX_HEAD_SILENCE_SECONDS = 2;
const MAX_TAIL_SILENCE_SECONDS = 5;
const MAX_MONO_LOSS_DB = 4.5;
const MAX_IMBALANCE_DB = 6;
const CHANNEL_NAMES = ["left", "right"];

export class LoudnessSink {
  readonly #weights: number[];
  readonly #filters: KWeighting[];
  readonly #peaks: TruePeak[];
  readonly #defects: DefectSink;
  readonly #rate: number;
  /** Powers of the last 3 s of steps, as a ring. */
  readonly #recent = new Float64Array(SHORT_TERM_STEPS);
  /** Powers of the windows of 0.4 s and 3 s, every 100 ms. */
  readonly #momentary: number[] = [];
  readonly #shortTerm: number[] = [];
  #momentaryMax = 0;
  #shortTermMax = 0;
  #steps = 0;
  #energy = 0;
  #count = 0;
  /** Sample index at which the current step ends. */
  #next: number;

  constructor(rate: number, weights: readonly number[]) {
    this.#rate = rate;
    this.#weights = [...weights];
    this.#filters = weights.map(() => new KWeighting(rate));
    this.#peaks = weights.map(() => new TruePeak());
    this.#defects = new DefectSink(rate, weights.length);
    this.#next = Math.round(rate / STEPS_PER_SECOND);
  }

  push(block: Block): void {
    const { channels, length } = block;
    for (let start = 0; start < length;) {
      const end = Math.min(length, start + this.#next - this.#count);
      for (let c = 0; c < this.#weights.length; c++) {
        const weight = this.#weights[c]!;
        if (weight > 0) this.#energy += weight * this.#filters[c]!.energy(channels[c]!, start, end);
      }
      this.#count += end - start;
      start = end;
      if (this.#count === this.#next) this.#step();
    }
    for (let c = 0; c < this.#peaks.length; c++) this.#peaks[c]!.push(channels[c]!, length);
    this.#defects.push(block);
  }

  finish(): Loudness {
    for (const peak of this.#peaks) peak.finish();
    const { defects, places } = this.#defects.finish();
    const measured = {
      integrated: roundDecimals(integratedLoudness(this.#momentary)),
      range: roundDecimals(loudnessRange(this.#shortTerm)),
      momentaryMax: roundDecimals(toLufs(this.#momentaryMax)),
      shortTermMax: roundDecimals(toLufs(this.#shortTermMax)),
      truePeak: roundDecimals(toDb(Math.max(...this.#peaks.map((peak) => peak.truePeak)))),
      samplePeak: roundDecimals(toDb(Math.max(...this.#peaks.map((peak) => peak.samplePeak)))),
    };
    return { ...measured, defects, warnings: collectWarnings(measured.truePeak, defects, places, this.#count / this.#rate) };
  }

  #step(): void {
    const start = Math.round((this.#steps * this.#rate) / STEPS_PER_SECOND);
    this.#recent[this.#steps % SHORT_TERM_STEPS] = this.#energy / (this.#next - start);
    this.#energy = 0;
    this.#steps++;
    this.#next = Math.round(((this.#steps + 1) * this.#rate) / STEPS_PER_SECOND);
    const isGated = this.#steps % GATED_STEPS === 0;
    if (this.#steps >= MOMENTARY_STEPS) {
      const power = this.#meanOfLast(MOMENTARY_STEPS);
      if (power > this.#momentaryMax) this.#momentaryMax = power;
      if (isGated) this.#momentary.push(power);
    }
    if (this.#steps >= SHORT_TERM_STEPS) {
      const power = this.#meanOfLast(SHORT_TERM_STEPS);
      if (power > this.#shortTermMax) this.#shortTermMax = power;
      if (isGated) this.#shortTerm.push(power);
    }
  }

  /** Adds up anew each time, because a running sum would keep the rounding errors of a loud passage. */
  #meanOfLast(steps: number): number {
    let sum = 0;
    const end = this.#steps % SHORT_TERM_STEPS;
    for (let i = Math.max(0, end - steps); i < end; i++) sum += this.#recent[i]!;
    for (let i = SHORT_TERM_STEPS - Math.max(0, steps - end); i < SHORT_TERM_STEPS; i++) sum += this.#recent[i]!;
    return sum / steps;
  }
}

/**
 * Returns the channel weights of BS.1770-5: zero for subwoofers, +1.5 dB for speakers at ear height 60 to 120 degrees to the side, one for all others. The
 * pair named "back" stands at 110 degrees in 5.1 and quadraphonic sound, and at 135 or more where there are side speakers too (7.1).
 */
export function channelWeights({ mask, nbChannels }: ChannelLayout): number[] {
  const bits = Array.from({ length: 64 }, (_, bit) => 1n << BigInt(bit)).filter((bit) => (mask & bit) !== 0n);
  if (bits.length !== nbChannels) return Array.from({ length: nbChannels }, () => 1);
  const surround = OTHER_SURROUND | ((mask & SIDE_PAIR) === 0n ? BACK_PAIR : SIDE_PAIR);
  return bits.map((bit) => ((bit & LFE) !== 0n ? 0 : (bit & surround) !== 0n ? SURROUND_WEIGHT : 1));
}

/** Returns LUFS, or null if nothing exceeds the absolute gate or the audio is shorter than one window. `powers`: of the windows of 0.4 s. */
function integratedLoudness(powers: readonly number[]): number | null {
  const audible = powers.filter((power) => power >= toPower(ABSOLUTE_GATE));
  if (audible.length === 0) return null;
  const relativeGate = mean(audible) * 0.1;
  const gated = audible.filter((power) => power >= relativeGate);
  return gated.length === 0 ? null : toLufs(mean(gated));
}

/** Returns the LU between the 10th and 95th percentile of the gated windows of 3 s, or null if none is audible. */
function loudnessRange(powers: readonly number[]): number | null {
  const audible = powers.filter((power) => power >= toPower(ABSOLUTE_GATE));
  if (audible.length === 0) return null;
  const relativeGate = mean(audible) * 0.01;
  const gated = audible.filter((power) => power >= relativeGate).toSorted((a, b) => a - b);
  const percentile = (share: number): number => gated[Math.round((gated.length - 1) * share)]!;
  return 10 * Math.log10(percentile(0.95) / percentile(0.1));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const toLufs = (power: number): number | null => (power > 0 ? LOUDNESS_OFFSET + 10 * Math.log10(power) : null);
const toPower = (lufs: number): number => 10 ** ((lufs - LOUDNESS_OFFSET) / 10);
const toDb = (magnitude: number): number | null => (magnitude > 0 ? 20 * Math.log10(magnitude) : null);
const roundDecimals = (value: number | null, count = 2): number | null => (value === null ? null : Number(value.toFixed(count)) + 0);

const roundMs = (seconds: number): number => Number(seconds.toFixed(3));

/** Converts measured values that exceed fixed limits into warnings. */
function collectWarnings(truePeak: number | null, defects: Defects, places: DefectPlaces, seconds: number): Warning[] {
  if (defects.silent) return [{ code: "silent", text: "There is no sound above -60 dBFS in this file.", places: [] }];
  const warnings: Warning[] = [];
  const addWarning = (code: Warning["code"], text: string, where: Place[] = []): void => void warnings.push({ code, text, places: where });
  const { clippedRuns, silenceHead, silenceTail, correlation, monoLoss, balance, deadChannels } = defects;
  if (clippedRuns > 0) addWarning("clipping", `Clipped in ${clippedRuns.toLocaleString("en")} ${clippedRuns === 1 ? "place" : "places"}.`, places.clipping);
  else if (truePeak !== null && truePeak > 0) addWarning("true-peak", `The true peak is ${truePeak.toFixed(1)} dBTP: players and encoders may clip it.`);
  if (silenceHead > MAX_HEAD_SILENCE_SECONDS)
    addWarning("silence-head", `Starts with ${silenceHead.toFixed(1)} s of silence.`, [{ from: 0, to: roundMs(silenceHead) }]);
  if (silenceTail > MAX_TAIL_SILENCE_SECONDS)
    addWarning("silence-tail", `Ends with ${silenceTail.toFixed(1)} s of silence.`, [{ from: roundMs(seconds - silenceTail), to: roundMs(seconds) }]);
  for (const channel of deadChannels)
    addWarning(
      "dead-channel",
      `Channel ${channel + 1}${deadChannels.length === 1 && balance === null && CHANNEL_NAMES[channel] ? ` (${CHANNEL_NAMES[channel]})` : ""} carries no sound.`,
    );
  if (defects.identicalChannels) addWarning("dual-mono", "Both channels are identical (mono in a stereo file).");
  if (correlation !== null && correlation < MIN_CORRELATION)
    addWarning("phase", `Left and right are out of phase (correlation ${correlation.toFixed(2)}).`, places.phase);
  if (monoLoss !== null && monoLoss > MAX_MONO_LOSS_DB) addWarning("mono-loss", `Loses ${monoLoss.toFixed(0)} dB when played in mono.`, places.phase);
  if (balance !== null && Math.abs(balance) > MAX_IMBALANCE_DB) {
    addWarning("balance", `The ${balance > 0 ? "left" : "right"} channel is ${Math.abs(balance).toFixed(0)} dB louder than the other.`);
  }
  return warnings;
}
