/**
 * Measures true peak: the highest value of the curve between the samples, found by oversampling (ITU-R BS.1770-4, annex
 * 2). Most samples need no filter: if both neighbors are below half of the highest value so far, the curve between them
 * does not exceed it. (Only a steady tone near half the sample rate could, but other phases of that tone are filtered.)
 */
const TAPS = 24;
const HALF = TAPS / 2;
/** Kaiser window parameter for 70 dB. */
const BETA = 7;

function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/** Returns filters for the points between two samples, at `phase / factor` of the distance. */
function createPhaseFilters(factor: number): Float64Array[] {
  return Array.from({ length: factor - 1 }, (_, index) => {
    const shift = (index + 1) / factor;
    const taps = Float64Array.from({ length: TAPS }, (_value, tap) => {
      const x = tap - (HALF - 1) - shift;
      const edge = x / HALF;
      return (Math.sin(Math.PI * x) / (Math.PI * x)) * (bessel(BETA * Math.sqrt(Math.max(0, 1 - edge * edge))) / bessel(BETA));
    });
    const sum = taps.reduce((a, b) => a + b, 0);
    return taps.map((tap) => tap / sum);
  });
}

/** Oversamples 4x below 88.2 kHz and 2x below 176.4 kHz to reach about the 192 kHz that the recommendation asks for. */
const oversamplingFactor = (rate: number): number => (rate >= 176_400 ? 1 : rate >= 88_200 ? 2 : 4);

/** Samples analyzed per batch. */
const BATCH = 4_096;
const NEIGHBOR_THRESHOLD = 0.5;

export class TruePeak {
  readonly #filters: Float64Array[];
  /** The last TAPS samples of the previous batch, followed by the current batch. */
  readonly #buffer = new Float64Array(TAPS + BATCH);
  #filled = 0;
  /** Highest magnitudes so far, linear. Complete after `finish`. */
  truePeak = 0;
  samplePeak = 0;

  constructor(rate: number) {
    this.#filters = createPhaseFilters(oversamplingFactor(rate));
  }

  push(samples: Float32Array, length: number): void {
    for (let done = 0; done < length;) {
      const count = Math.min(length - done, BATCH - this.#filled);
      this.#buffer.set(samples.subarray(done, done + count), TAPS + this.#filled);
      this.#filled += count;
      done += count;
      if (this.#filled === BATCH) this.#processBatch();
    }
  }

  /** Flushes the filter, because the curve continues past the last sample. */
  finish(): void {
    this.push(new Float32Array(TAPS), TAPS);
    this.#buffer.fill(0, TAPS + this.#filled);
    this.#processBatch();
  }

  #processBatch(): void {
    const buffer = this.#buffer;
    let highest = this.samplePeak;
    for (let i = TAPS; i < buffer.length; i++) {
      const value = buffer[i]!;
      const magnitude = value < 0 ? -value : value;
      if (magnitude > highest) highest = magnitude;
    }
    this.samplePeak = highest;
    if (highest > this.truePeak) this.truePeak = highest;
    if (this.#filters.length > 0 && highest > 0) this.#interpolate(buffer);
    buffer.copyWithin(0, BATCH, BATCH + TAPS);
    this.#filled = 0;
  }

  /** Interpolates between samples. The window ending at sample i describes the curve between its two middle samples. */
  #interpolate(buffer: Float64Array): void {
    let peak = this.truePeak;
    let limit = peak * NEIGHBOR_THRESHOLD;
    let right = Math.abs(buffer[HALF]!);
    for (let i = TAPS; i < buffer.length; i++) {
      const left = right;
      right = Math.abs(buffer[i - HALF + 1]!);
      if (left < limit && right < limit) continue;
      const first = i - TAPS + 1;
      for (const taps of this.#filters) {
        let sum = 0;
        for (let tap = 0; tap < TAPS; tap++) sum += taps[tap]! * buffer[first + tap]!;
        if (sum < 0) sum = -sum;
        if (sum > peak) {
          peak = sum;
          limit = peak * NEIGHBOR_THRESHOLD;
        }
      }
    }
    this.truePeak = peak;
  }
}
