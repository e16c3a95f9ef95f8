/** Computes the onset curve of a track: the rise in loudness per frame, in which the tempo is detected. */
import { hann, RealFft } from "../signal/fft.ts";

export const ONSET_RATE = 22_050;
const WINDOW = 1_024;
const HOP = 256;
/** Frames of the onset curve per second. */
export const FRAMES_PER_SECOND = ONSET_RATE / HOP;
const BANDS = 32;
const LOWEST_HZ = 30;
const HIGHEST_HZ = 10_000;
/** Bands below this frequency belong to the kick drum and the bass. */
const LOW_HZ = 160;
/** Factor of the loudness compression log(1 + factor * energy). */
const COMPRESSION = 1_000;

const hertzToMel = (hertz: number): number => 1_127 * Math.log(1 + hertz / 700);
const melToHertz = (value: number): number => 700 * (Math.exp(value / 1_127) - 1);

interface Band {
  from: number;
  weights: Float64Array;
  low: boolean;
}

/** Returns triangular mel filters, each at least one bin wide. */
function melBands(): Band[] {
  const low = hertzToMel(LOWEST_HZ);
  const step = (hertzToMel(HIGHEST_HZ) - low) / (BANDS + 1);
  const bin = ONSET_RATE / WINDOW;
  return Array.from({ length: BANDS }, (_, band) => {
    const [left, center, right] = [0, 1, 2].map((n) => melToHertz(low + (band + n) * step) / bin) as [number, number, number];
    const from = Math.floor(left) + 1;
    const count = Math.max(1, Math.ceil(right) - from);
    const weights = Float64Array.from({ length: count }, (_value, n) => {
      const at = from + n;
      return Math.max(0.05, at <= center ? (at - left) / (center - left) : (right - at) / (right - center));
    });
    return { from, weights, low: center * bin < LOW_HZ };
  });
}

export interface OnsetCurve {
  all: Float64Array;
  /** Kick and bass bands only. */
  low: Float64Array;
}

/** Accepts mono samples at 22,050 Hz in blocks of any length. */
export class OnsetSink {
  readonly #fft = new RealFft(WINDOW);
  readonly #window = hann(WINDOW);
  readonly #bands = melBands();
  readonly #buffer = new Float32Array(WINDOW);
  readonly #frame = new Float64Array(WINDOW);
  readonly #power = new Float64Array(WINDOW / 2 + 1);
  #previous = new Float64Array(BANDS);
  #current = new Float64Array(BANDS);
  readonly #all: number[] = [];
  readonly #low: number[] = [];
  #filled = WINDOW - HOP;
  #first = true;

  push(samples: Float32Array, length: number): void {
    for (let done = 0; done < length;) {
      const count = Math.min(length - done, WINDOW - this.#filled);
      this.#buffer.set(samples.subarray(done, done + count), this.#filled);
      this.#filled += count;
      done += count;
      if (this.#filled < WINDOW) continue;
      this.#analyze();
      this.#buffer.copyWithin(0, HOP);
      this.#filled = WINDOW - HOP;
    }
  }

  finish(): OnsetCurve {
    return { all: Float64Array.from(this.#all), low: Float64Array.from(this.#low) };
  }

  #analyze(): void {
    for (let i = 0; i < WINDOW; i++) this.#frame[i] = this.#buffer[i]! * this.#window[i]!;
    this.#fft.power(this.#frame, this.#power);
    let all = 0;
    let low = 0;
    for (let b = 0; b < BANDS; b++) {
      const { from, weights, low: isLow } = this.#bands[b]!;
      let sum = 0;
      for (let n = 0; n < weights.length; n++) sum += weights[n]! * this.#power[from + n]!;
      const loudness = Math.log1p((COMPRESSION * sum) / WINDOW);
      const rise = Math.max(0, loudness - this.#previous[b]!);
      this.#current[b] = loudness;
      all += rise;
      if (isLow) low += rise;
    }
    [this.#previous, this.#current] = [this.#current, this.#previous];
    this.#all.push(this.#first ? 0 : all);
    this.#low.push(this.#first ? 0 : low);
    this.#first = false;
  }
}
