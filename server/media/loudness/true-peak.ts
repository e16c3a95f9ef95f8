/**
 * Measures true peak: the highest value of the curve between the samples, found by oversampling (ITU-R BS.1770-5, annex
 * 2). Most samples need no filter: the samples around bound how high the curve can be, and where the bound is below the
 * highest value so far, nothing is lost.
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
export function createPhaseFilters(factor: number): Float64Array[] {
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

/** Points per sample, at every rate: a tone at a quarter of the sample rate is read 0.2 dB too low at most. BS.1770 requires as many at 48 kHz. */
const OVERSAMPLING = 4;
const FILTERS = createPhaseFilters(OVERSAMPLING);

/** Samples that are filtered or skipped together. */
const GROUP = 4;
/** Groups that the windows of one group reach back to, including itself. */
const GROUPS = TAPS / GROUP + 1;

/** Returns, for each of the groups that a window touches, the highest sum of weights that any filter has there. `offset`: of the first weight. */
function weighGroups(count: number, offset: number, weigh: (taps: Float64Array, index: number) => number): Float64Array {
  const weights = new Float64Array(GROUPS);
  for (const taps of FILTERS) {
    for (let position = 0; position < GROUP; position++) {
      const sums = new Float64Array(GROUPS);
      for (let index = 0; index < count; index++) sums[Math.floor((position + index + offset) / GROUP)]! += Math.abs(weigh(taps, index));
      for (let group = 0; group < GROUPS; group++) weights[group] = Math.max(weights[group]!, sums[group]!);
    }
  }
  return weights;
}

/** How much of a step between neighboring samples reaches the curve: taps add up to one, so it is the sample before plus steps times sums of taps. */
const STEP_WEIGHTS = weighGroups(TAPS - 1, 2, (taps, step) => {
  const before = taps.subarray(0, step + 1).reduce((a, b) => a + b, 0);
  return step < HALF - 1 ? before : 1 - before;
});
/** The middle taps, which make up most of the curve. */
const INNER = { from: HALF - 4, to: HALF + 4 };
/** How much of a sample outside of the middle taps reaches the curve. */
const OUTER_WEIGHTS = weighGroups(TAPS, 1, (taps, tap) => (tap >= INNER.from && tap < INNER.to ? 0 : taps[tap]!));
/** Leaves space for rounding errors. */
const SAFETY = 1 + 1e-9;

/** Samples analyzed per batch, a multiple of GROUP like TAPS. */
const BATCH = 4_096;

export class TruePeak {
  /** The last TAPS samples of the previous batch, followed by the current batch. */
  readonly #buffer = new Float64Array(TAPS + BATCH);
  /** Highest magnitude and largest step from the sample before, for every group of the buffer. */
  readonly #magnitudes = new Float64Array((TAPS + BATCH) / GROUP);
  readonly #steps = new Float64Array((TAPS + BATCH) / GROUP);
  #filled = 0;
  /** Highest magnitudes so far, linear. Complete after `finish`. */
  truePeak = 0;
  samplePeak = 0;

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
    this.#measureGroups();
    if (this.samplePeak > this.truePeak) this.truePeak = this.samplePeak;
    if (this.truePeak > 0) this.#interpolate();
    for (const history of [this.#magnitudes, this.#steps]) history.copyWithin(0, BATCH / GROUP);
    this.#buffer.copyWithin(0, BATCH);
    this.#filled = 0;
  }

  #measureGroups(): void {
    const buffer = this.#buffer;
    let previous = buffer[TAPS - 1]!;
    for (let start = TAPS; start < buffer.length; start += GROUP) {
      let highest = 0;
      let largestStep = 0;
      for (let i = start; i < start + GROUP; i++) {
        const value = buffer[i]!;
        const magnitude = Math.abs(value);
        const step = Math.abs(value - previous);
        if (magnitude > highest) highest = magnitude;
        if (step > largestStep) largestStep = step;
        previous = value;
      }
      this.#magnitudes[start / GROUP] = highest;
      this.#steps[start / GROUP] = largestStep;
      if (highest > this.samplePeak) this.samplePeak = highest;
    }
  }

  /** Interpolates between samples. The window ending at sample i describes the curve between its two middle samples. */
  #interpolate(): void {
    const buffer = this.#buffer;
    let peak = this.truePeak;
    for (let group = TAPS / GROUP; group < this.#steps.length; group++) {
      const nearest = this.#magnitudes[group - HALF / GROUP]!;
      if ((nearest + weightedSum(STEP_WEIGHTS, this.#steps, group)) * SAFETY < peak) continue;
      const outer = weightedSum(OUTER_WEIGHTS, this.#magnitudes, group);
      for (let i = group * GROUP; i < (group + 1) * GROUP; i++) {
        const first = i - TAPS + 1;
        if ((highestSum(buffer, first, INNER.from, INNER.to) + outer) * SAFETY < peak) continue;
        peak = Math.max(peak, highestSum(buffer, first, 0, TAPS));
      }
    }
    this.truePeak = peak;
  }
}

/** Returns the sum over the groups that the windows ending in this one touch. */
function weightedSum(weights: Float64Array, values: Float64Array, group: number): number {
  const oldest = group - GROUPS + 1;
  let sum = 0;
  for (let i = 0; i < GROUPS; i++) sum += weights[i]! * values[oldest + i]!;
  return sum;
}

/** Returns the highest magnitude of the three filters' sums over the taps `[from, to)` of the window that begins at `first`. */
function highestSum(buffer: Float64Array, first: number, from: number, to: number): number {
  const [quarter, half, threeQuarters] = FILTERS as [Float64Array, Float64Array, Float64Array];
  let [a, b, c] = [0, 0, 0];
  for (let tap = from; tap < to; tap++) {
    const value = buffer[first + tap]!;
    a += quarter[tap]! * value;
    b += half[tap]! * value;
    c += threeQuarters[tap]! * value;
  }
  return Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
}
