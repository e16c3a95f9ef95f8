/** Measures loudness and defects of one decoded file and derives warnings for people. */
import type { Block } from "../engine/samples.ts";
import { type Defects, DefectSink } from "./defects.ts";
import { integratedLoudness, maxLoudness, loudnessRange, MOMENTARY_STEPS, SHORT_TERM_STEPS } from "./gating.ts";
import { KWeighting } from "./k-weighting.ts";
import { TruePeak } from "./true-peak.ts";
import { type Warning, collectWarnings } from "./warnings.ts";

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

const STEPS_PER_SECOND = 10;
/** Speaker bits of FFmpeg's channel mask. */
const LOW_FREQUENCY = 0x8n | 0x8_0000_0000n;
const SURROUND = 0x10n | 0x20n | 0x200n | 0x400n;
const SURROUND_WEIGHT = 1.41;

/** Returns the BS.1770 channel weights: zero for the subwoofer, slightly more than one for side and rear speakers. */
export function channelWeights(mask: bigint, channels: number): number[] {
  const bits = Array.from({ length: 64 }, (_, bit) => 1n << BigInt(bit)).filter((bit) => (mask & bit) !== 0n);
  if (bits.length !== channels) return Array.from({ length: channels }, () => 1);
  return bits.map((bit) => ((bit & LOW_FREQUENCY) !== 0n ? 0 : (bit & SURROUND) !== 0n ? SURROUND_WEIGHT : 1));
}

const roundTo = (value: number | null, count = 2): number | null => (value === null ? null : Number(value.toFixed(count)));
const toDb = (magnitude: number): number | null => (magnitude > 0 ? 20 * Math.log10(magnitude) : null);

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
      integrated: roundTo(integratedLoudness(this.#powers)),
      range: roundTo(loudnessRange(this.#powers)),
      momentaryMax: roundTo(maxLoudness(this.#powers, MOMENTARY_STEPS)),
      shortTermMax: roundTo(maxLoudness(this.#powers, SHORT_TERM_STEPS)),
      truePeak: roundTo(toDb(Math.max(...this.#peaks.map((peak) => peak.truePeak)))),
      samplePeak: roundTo(toDb(Math.max(...this.#peaks.map((peak) => peak.samplePeak)))),
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
