/** Fourier transform of real samples: a complex one of half the size, radix 2, tables made once. */
export class RealFft {
  readonly size: number;
  readonly #half: number;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #swap: Uint32Array;

  /** `size`: a power of two, 4 or more. */
  constructor(size: number) {
    this.size = size;
    const half = size / 2;
    this.#half = half;
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
    // One full turn in `size` steps serves both the transform and the split afterwards.
    this.#cos = Float64Array.from({ length: half }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sin = Float64Array.from({ length: half }, (_, i) => Math.sin((2 * Math.PI * i) / size));
    const bits = Math.log2(half);
    this.#swap = Uint32Array.from({ length: half }, (_, i) => {
      let out = 0;
      for (let bit = 0; bit < bits; bit++) if (i & (1 << bit)) out |= 1 << (bits - 1 - bit);
      return out;
    });
  }

  /** Squared magnitudes of the bins 0 to size/2, into `out` (size/2 + 1 long). */
  power(input: ArrayLike<number>, out: Float64Array): void {
    this.#run(input, out, true);
  }

  /** Real parts of the bins 0 to size/2. */
  real(input: ArrayLike<number>): Float64Array {
    const out = new Float64Array(this.#half + 1);
    this.#run(input, out, false);
    return out;
  }

  /** The half-size transform, then the split into the bins of the real signal. */
  #run(input: ArrayLike<number>, out: Float64Array, power: boolean): void {
    const half = this.#half;
    const re = this.#re;
    const im = this.#im;
    const swap = this.#swap;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let i = 0; i < half; i++) {
      const to = swap[i]!;
      re[to] = input[2 * i]!;
      im[to] = input[2 * i + 1]!;
    }
    this.#transform();
    const first = re[0]! + im[0]!;
    const last = re[0]! - im[0]!;
    out[0] = power ? first * first : first;
    out[half] = power ? last * last : last;
    for (let k = 1; k < half; k++) {
      const j = half - k;
      const oddRe = (im[k]! + im[j]!) / 2;
      const oddIm = (re[j]! - re[k]!) / 2;
      const c = cos[k]!;
      const s = sin[k]!;
      const x = (re[k]! + re[j]!) / 2 + oddRe * c + oddIm * s;
      const y = (im[k]! - im[j]!) / 2 + oddIm * c - oddRe * s;
      out[k] = power ? x * x + y * y : x;
    }
  }

  #transform(): void {
    const n = this.#half;
    const re = this.#re;
    const im = this.#im;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let span = 1; span < n; span *= 2) {
      // The table turns in `size` = 2n steps.
      const step = n / span;
      for (let from = 0; from < n; from += span * 2) {
        for (let i = from, j = from + span, turn = 0; i < from + span; i++, j++, turn += step) {
          const c = cos[turn]!;
          const s = sin[turn]!;
          const a = re[j]!;
          const b = im[j]!;
          const x = a * c + b * s;
          const y = b * c - a * s;
          re[j] = re[i]! - x;
          im[j] = im[i]! - y;
          re[i] = re[i]! + x;
          im[i] = im[i]! + y;
        }
      }
    }
  }
}

export const hann = (size: number): Float64Array => Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));

/** Autocorrelation of `signal` for the lags 0 to `lags` - 1, each divided by the count of products it sums. */
export function autocorrelation(signal: Float64Array, lags: number): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(4, signal.length + lags)));
  const fft = new RealFft(size);
  const padded = new Float64Array(size);
  padded.set(signal);
  const power = new Float64Array(size / 2 + 1);
  fft.power(padded, power);
  // The power spectrum is even, so a second forward transform of it gives the inverse; its real part is needed only.
  const mirrored = new Float64Array(size);
  for (let k = 0; k < size; k++) mirrored[k] = power[k <= size / 2 ? k : size - k]!;
  const real = fft.real(mirrored);
  return Float64Array.from({ length: lags }, (_, lag) => (lag < signal.length && lag <= size / 2 ? real[lag]! / size / (signal.length - lag) : 0));
}
