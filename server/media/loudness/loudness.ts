/** Measures loudness (ITU-R BS.1770-4, EBU Tech 3342) and defects of one decoded file and derives warnings for people. */
import type { Block } from "../engine/samples.ts";
import { type Defects, DefectSink } from "./defects.ts";
import { KWeighting } from "./k-weighting.ts";
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
}

/** Energies are measured in steps of 100 ms; the other lengths count such steps. */
const STEPS_PER_SECOND = 10;
const BLOCK_STEPS = 4;
const MOMENTARY_STEPS = BLOCK_STEPS;
const SHORT_TERM_STEPS = 30;

/** BS.1770: the loudness of a power is `LOUDNESS_OFFSET` + 10 log10(power). Both constants are in LUFS. */
const LOUDNESS_OFFSET = -0.691;
const ABSOLUTE_GATE = -70;

/** Speaker bits of FFmpeg's channel mask. */
const LFE_CHANNELS = 0x8n | 0x8_0000_0000n;
const SURROUND = 0x10n | 0x20n | 0x200n | 0x400n;
const SURROUND_WEIGHT = 1.41;

const MAX_HEAD_SILENCE_SECONDS = 2;
const MAX_TAIL_SILENCE_SECONDS = 5;
const MIN_CORRELATION = -0.2;
const MAX_MONO_LOSS_DB = 4.5;
const MAX_IMBALANCE_DB = 6;
const CHANNEL_NAMES = ["left", "right"];

export class LoudnessSink {
  readonly #weights: number[];
  readonly #filters: KWeighting[];
  readonly #peaks: TruePeak[];
  readonly #defects: DefectSink;
  readonly #rate: number;
  readonly #powers: number[] = [];
  #energy = 0;
  #count = 0;
  /** Sample index at which the current 100 ms step ends. */
  #next: number;

  constructor(rate: number, weights: readonly number[]) {
    this.#rate = rate;
    this.#weights = [...weights];
    this.#filters = weights.map(() => new KWeighting(rate));
    this.#peaks = weights.map(() => new TruePeak(rate));
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
    const defects = this.#defects.finish();
    const measured = {
      integrated: roundDecimals(integratedLoudness(this.#powers)),
      range: roundDecimals(loudnessRange(this.#powers)),
      momentaryMax: roundDecimals(maxLoudness(this.#powers, MOMENTARY_STEPS)),
      shortTermMax: roundDecimals(maxLoudness(this.#powers, SHORT_TERM_STEPS)),
      truePeak: roundDecimals(toDb(Math.max(...this.#peaks.map((peak) => peak.truePeak)))),
      samplePeak: roundDecimals(toDb(Math.max(...this.#peaks.map((peak) => peak.samplePeak)))),
    };
    return { ...measured, defects, warnings: collectWarnings(measured.truePeak, defects) };
  }

  #step(): void {
    const start = Math.round((this.#powers.length * this.#rate) / STEPS_PER_SECOND);
    this.#powers.push(this.#energy / (this.#next - start));
    this.#energy = 0;
    this.#next = Math.round(((this.#powers.length + 1) * this.#rate) / STEPS_PER_SECOND);
  }
}

/** Returns the BS.1770 channel weights: zero for the subwoofer, slightly more than one for side and rear speakers. */
export function channelWeights(mask: bigint, channels: number): number[] {
  const bits = Array.from({ length: 64 }, (_, bit) => 1n << BigInt(bit)).filter((bit) => (mask & bit) !== 0n);
  if (bits.length !== channels) return Array.from({ length: channels }, () => 1);
  return bits.map((bit) => ((bit & LFE_CHANNELS) !== 0n ? 0 : (bit & SURROUND) !== 0n ? SURROUND_WEIGHT : 1));
}

/** Returns LUFS, or null if nothing exceeds the absolute gate or the audio is shorter than one 400 ms block. `powers`: energies of the steps. */
function integratedLoudness(powers: readonly number[]): number | null {
  const audible = slidingMeans(powers, BLOCK_STEPS).filter((power) => power >= toPower(ABSOLUTE_GATE));
  if (audible.length === 0) return null;
  const relativeGate = mean(audible) * 0.1;
  const gated = audible.filter((power) => power >= relativeGate);
  return gated.length === 0 ? null : toLufs(mean(gated));
}

/** Returns the LU between the 10th and 95th percentile of the gated short-term loudness, or null below three seconds. */
function loudnessRange(powers: readonly number[]): number | null {
  const audible = slidingMeans(powers, SHORT_TERM_STEPS).filter((power) => power >= toPower(ABSOLUTE_GATE));
  if (audible.length === 0) return null;
  const relativeGate = mean(audible) * 0.01;
  const gated = audible.filter((power) => power >= relativeGate).toSorted((a, b) => a - b);
  const percentile = (share: number): number => gated[Math.round((gated.length - 1) * share)]!;
  return toLufs(percentile(0.95)) - toLufs(percentile(0.1));
}

/** Returns the loudness of the loudest run of `steps` in LUFS: 4 steps are momentary, 30 are short-term. */
function maxLoudness(powers: readonly number[], steps: number): number | null {
  const max = slidingMeans(powers, steps).reduce((a, b) => Math.max(a, b), 0);
  return max > 0 ? toLufs(max) : null;
}

/** Returns the mean power of every run of `steps` consecutive values. */
function slidingMeans(powers: readonly number[], steps: number): number[] {
  const out: number[] = [];
  let sum = 0;
  for (let i = 0; i < powers.length; i++) {
    sum += powers[i]!;
    if (i >= steps) sum -= powers[i - steps]!;
    if (i >= steps - 1) out.push(Math.max(0, sum) / steps);
  }
  return out;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const toLufs = (power: number): number => (power > 0 ? LOUDNESS_OFFSET + 10 * Math.log10(power) : -Infinity);
const toPower = (lufs: number): number => 10 ** ((lufs - LOUDNESS_OFFSET) / 10);
const toDb = (magnitude: number): number | null => (magnitude > 0 ? 20 * Math.log10(magnitude) : null);
const roundDecimals = (value: number | null, count = 2): number | null => (value === null ? null : Number(value.toFixed(count)));

/** Converts measured values that exceed fixed limits into warnings. */
function collectWarnings(truePeak: number | null, defects: Defects): Warning[] {
  if (defects.silent) return [{ code: "silent", text: "There is no sound above -60 dBFS in this file." }];
  const warnings: Warning[] = [];
  const addWarning = (code: Warning["code"], text: string): void => void warnings.push({ code, text });
  const { clippedRuns, silenceHead, silenceTail, correlation, monoLoss, balance, deadChannels } = defects;
  if (clippedRuns > 0) addWarning("clipping", `Clipped in ${clippedRuns.toLocaleString("en")} ${clippedRuns === 1 ? "place" : "places"}.`);
  else if (truePeak !== null && truePeak > 0) addWarning("true-peak", `The true peak is ${truePeak.toFixed(1)} dBTP: players and encoders may clip it.`);
  if (silenceHead > MAX_HEAD_SILENCE_SECONDS) addWarning("silence-head", `Starts with ${silenceHead.toFixed(1)} s of silence.`);
  if (silenceTail > MAX_TAIL_SILENCE_SECONDS) addWarning("silence-tail", `Ends with ${silenceTail.toFixed(1)} s of silence.`);
  for (const channel of deadChannels)
    addWarning(
      "dead-channel",
      `Channel ${channel + 1}${deadChannels.length === 1 && balance === null && CHANNEL_NAMES[channel] ? ` (${CHANNEL_NAMES[channel]})` : ""} carries no sound.`,
    );
  if (defects.identicalChannels) addWarning("dual-mono", "Both channels are identical (mono in a stereo file).");
  if (correlation !== null && correlation < MIN_CORRELATION) addWarning("phase", `Left and right are out of phase (correlation ${correlation.toFixed(2)}).`);
  if (monoLoss !== null && monoLoss > MAX_MONO_LOSS_DB) addWarning("mono-loss", `Loses ${monoLoss.toFixed(0)} dB when played in mono.`);
  if (balance !== null && Math.abs(balance) > MAX_IMBALANCE_DB) {
    addWarning("balance", `The ${balance > 0 ? "left" : "right"} channel is ${Math.abs(balance).toFixed(0)} dB louder than the other.`);
  }
  return warnings;
}
