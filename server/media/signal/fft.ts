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
    this.#split(input, (k, x, y) => {
      out[k] = x * x + y * y;
    });
  }

  /** Real parts of the bins 0 to size/2. */
  real(input: ArrayLike<number>): Float64Array {
    const out = new Float64Array(this.#half + 1);
    this.#split(input, (k, x) => {
      out[k] = x;
    });
    return out;
  }

  #split(input: ArrayLike<number>, take: (bin: number, re: number, im: number) => void): void {
    const half = this.#half;
    const re = this.#re;
    const im = this.#im;
    for (let i = 0; i < half; i++) {
      const to = this.#swap[i]!;
      re[to] = input[2 * i]!;
      im[to] = input[2 * i + 1]!;
    }
    this.#transform();
    take(0, re[0]! + im[0]!, 0);
    take(half, re[0]! - im[0]!, 0);
    for (let k = 1; k < half; k++) {
      const j = half - k;
      const evenRe = (re[k]! + re[j]!) / 2;
      const evenIm = (im[k]! - im[j]!) / 2;
      const oddRe = (im[k]! + im[j]!) / 2;
      const oddIm = (re[j]! - re[k]!) / 2;
      const c = this.#cos[k]!;
      const s = this.#sin[k]!;
      take(k, evenRe + oddRe * c + oddIm * s, evenIm + oddIm * c - oddRe * s);
    }
  }

  #transform(): void {
    const n = this.#half;
    const re = this.#re;
    const im = this.#im;
    for (let span = 1; span < n; span <<= 1) {
      const step = n / span;
      for (let k = 0; k < span; k++) {
        // The table turns in `size` = 2n steps.
        const c = this.#cos[k * step]!;
        const s = -this.#sin[k * step]!;
        for (let i = k; i < n; i += span << 1) {
          const j = i + span;
          const x = re[j]! * c - im[j]! * s;
          const y = re[j]! * s + im[j]! * c;
          re[j] = re[i]! - x;
          im[j] = im[i]! - y;
          re[i]! += x;
          im[i]! += y;
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
