/** Detects defects of a mix: clipping, silence at both ends, phase problems and a dead channel. */
import type { Block } from "../engine/samples.ts";
import { type Place, PlaceCollector } from "./places.ts";

/** The highest 16-bit value counts as full scale. */
const FULL_SCALE = 32_766.5 / 32_768;
/** Minimum run length of clipped samples. A single sample at full scale is normal, a flat top is not. */
const FLAT_TOP = 3;
/** Silence threshold: -60 dBFS. */
const SILENCE = 0.001;

/** Correlation of left and right below which they are out of phase. */
export const MIN_CORRELATION = -0.2;
/** Minimum length of the parts whose correlation is measured, in seconds. */
const PHASE_WINDOW_SECONDS = 0.5;

export interface Defects {
  /** Runs of three or more samples at full scale, over all channels. */
  clippedRuns: number;
  clippedSamples: number;
  /** Seconds below -60 dBFS before the first and after the last louder sample. */
  silenceHead: number;
  silenceTail: number;
  silent: boolean;
  /** Correlation of left and right, -1..1. Null unless there are exactly two non-silent channels. */
  correlation: number | null;
  /** Level lost in the mono sum compared with playing both channels, in dB, 0 or more. Null like `correlation`. */
  monoLoss: number | null;
  /** Level of left minus right in dB. Null unless stereo. */
  balance: number | null;
  identicalChannels: boolean;
  /** Indexes of channels without sound while other channels have some. */
  deadChannels: number[];
}

/** Where the defects are that have a position. */
export interface DefectPlaces {
  clipping: Place[];
  phase: Place[];
}

const toDb = (power: number): number => 10 * Math.log10(power);

export class DefectSink {
  readonly #rate: number;
  readonly #runLengths: number[];
  readonly #energy: Float64Array;
  #clippedRuns = 0;
  #clippedSamples = 0;
  #count = 0;
  #first = -1;
  #last = -1;
  #crossEnergy = 0;
  #difference = 0;
  readonly #clippedPlaces = new PlaceCollector();
  readonly #phasePlaces = new PlaceCollector();
  /** Sums of the part whose correlation is being measured, and the sample index at which it began. */
  #window = { start: 0, cross: 0, left: 0, right: 0 };

  constructor(rate: number, channels: number) {
    this.#rate = rate;
    this.#runLengths = Array.from({ length: channels }, () => 0);
    this.#energy = new Float64Array(channels);
  }

  push({ channels, length }: Block): void {
    for (let c = 0; c < this.#runLengths.length; c++) this.#measureChannel(c, channels[c]!, length);
    if (this.#runLengths.length === 2) this.#comparePair(channels[0]!, channels[1]!, length);
    this.#count += length;
  }

  finish(): { defects: Defects; places: DefectPlaces } {
    for (let c = 0; c < this.#runLengths.length; c++) this.#endRun(c, this.#count);
    this.#endWindow(this.#count);
    const energy = [...this.#energy];
    const silent = this.#first < 0;
    const seconds = (samples: number): number => samples / this.#rate;
    const [left = 0, right = 0] = energy;
    const stereo = energy.length === 2 && left > 0 && right > 0;
    const sum = left + right;
    // Coherent channels sum to twice their power, opposite channels to zero.
    const mono = (sum + 2 * this.#crossEnergy) / 2;
    const defects: Defects = {
      clippedRuns: this.#clippedRuns,
      clippedSamples: this.#clippedSamples,
      silenceHead: seconds(silent ? this.#count : this.#first),
      silenceTail: seconds(silent ? this.#count : this.#count - 1 - this.#last),
      silent,
      correlation: stereo ? Math.max(-1, Math.min(1, this.#crossEnergy / Math.sqrt(left * right))) : null,
      monoLoss: stereo ? Math.min(99, Math.max(0, -toDb(Math.max(mono, sum * 1e-10) / sum))) : null,
      balance: stereo ? toDb(left / right) : null,
      identicalChannels: stereo && this.#difference <= sum * 1e-9,
      deadChannels: silent ? [] : energy.flatMap((channelEnergy, index) => (channelEnergy <= Math.max(...energy) * 1e-9 ? [index] : [])),
    };
    return { defects, places: { clipping: this.#clippedPlaces.finish(), phase: this.#phasePlaces.finish() } };
  }

  #measureChannel(c: number, samples: Float32Array, length: number): void {
    let energy = 0;
    let peak = 0;
    for (let i = 0; i < length; i++) {
      const value = samples[i]!;
      energy += value * value;
      const magnitude = value < 0 ? -value : value;
      if (magnitude > peak) peak = magnitude;
    }
    this.#energy[c]! += energy;
    if (peak > SILENCE) this.#findSilenceEnds(samples, length);
    if (peak >= FULL_SCALE || this.#runLengths[c]! > 0) this.#countClipping(c, samples, length);
  }

  #findSilenceEnds(samples: Float32Array, length: number): void {
    if (this.#first < 0 || this.#first >= this.#count) {
      const first = this.#count + samples.findIndex((value) => Math.abs(value) > SILENCE);
      this.#first = this.#first < 0 ? first : Math.min(this.#first, first);
    }
    for (let i = length - 1; i >= 0 && this.#count + i > this.#last; i--) {
      if (Math.abs(samples[i]!) > SILENCE) this.#last = this.#count + i;
    }
  }

  #countClipping(c: number, samples: Float32Array, length: number): void {
    for (let i = 0; i < length; i++) {
      if (Math.abs(samples[i]!) >= FULL_SCALE) this.#runLengths[c]!++;
      else if (this.#runLengths[c]! > 0) this.#endRun(c, this.#count + i);
    }
  }

  /** `end` is the index of the first sample after the run. */
  #endRun(c: number, end: number): void {
    const run = this.#runLengths[c]!;
    this.#runLengths[c] = 0;
    if (run < FLAT_TOP) return;
    this.#clippedRuns++;
    this.#clippedSamples += run;
    this.#clippedPlaces.add((end - run) / this.#rate, end / this.#rate);
  }

  #comparePair(left: Float32Array, right: Float32Array, length: number): void {
    let cross = 0;
    let difference = 0;
    let leftEnergy = 0;
    let rightEnergy = 0;
    for (let i = 0; i < length; i++) {
      const a = left[i]!;
      const b = right[i]!;
      cross += a * b;
      difference += (a - b) * (a - b);
      leftEnergy += a * a;
      rightEnergy += b * b;
    }
    this.#crossEnergy += cross;
    this.#difference += difference;
    this.#window.cross += cross;
    this.#window.left += leftEnergy;
    this.#window.right += rightEnergy;
    const end = this.#count + length;
    if (end - this.#window.start >= PHASE_WINDOW_SECONDS * this.#rate) this.#endWindow(end);
  }

  /** `end` is the index of the first sample after the window. */
  #endWindow(end: number): void {
    const { start, cross, left, right } = this.#window;
    this.#window = { start: end, cross: 0, left: 0, right: 0 };
    const isAudible = Math.min(left, right) > (end - start) * SILENCE * SILENCE;
    if (isAudible && cross / Math.sqrt(left * right) < MIN_CORRELATION) this.#phasePlaces.add(start / this.#rate, end / this.#rate);
  }
}
