/** Computes the Fourier transform of real samples with a complex transform of half the size: radix 2, precomputed tables. */
export class RealFft {
  readonly size: number;
  readonly #half: number;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #swap: Uint32Array;
  readonly #stages: Stage[];

  /** `size` must be a power of two, at least 4. */
  constructor(size: number) {
    this.size = size;
    const half = size / 2;
    this.#half = half;
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
    this.#cos = Float64Array.from({ length: half }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sin = Float64Array.from({ length: half }, (_, i) => Math.sin((2 * Math.PI * i) / size));
    this.#stages = stages(half);
    const bits = Math.log2(half);
    this.#swap = Uint32Array.from({ length: half }, (_, i) => {
      let out = 0;
      for (let bit = 0; bit < bits; bit++) if (i & (1 << bit)) out |= 1 << (bits - 1 - bit);
      return out;
    });
  }

  /** Writes the squared magnitudes of bins 0 to size/2 into `out` (length size/2 + 1). */
  power(input: ArrayLike<number>, out: Float64Array): void {
    this.#run(input, out, true);
  }

  /** Returns the real parts of bins 0 to size/2. */
  real(input: ArrayLike<number>): Float64Array {
    const out = new Float64Array(this.#half + 1);
    this.#run(input, out, false);
    return out;
  }

  /** Runs the half-size transform, then splits it into the bins of the real signal. */
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

  /** Radix-2 transform whose first pass combines two stages, because their factors are only 1 and -i. */
  #transform(): void {
    const n = this.#half;
    const re = this.#re;
    const im = this.#im;
    let span = 1;
    if (n >= 4) {
      for (let i = 0; i < n; i += 4) {
        const a = re[i]! + re[i + 1]!;
        const b = im[i]! + im[i + 1]!;
        const c = re[i]! - re[i + 1]!;
        const d = im[i]! - im[i + 1]!;
        const e = re[i + 2]! + re[i + 3]!;
        const f = im[i + 2]! + im[i + 3]!;
        const g = re[i + 2]! - re[i + 3]!;
        const h = im[i + 2]! - im[i + 3]!;
        re[i] = a + e;
        im[i] = b + f;
        re[i + 1] = c + h;
        im[i + 1] = d - g;
        re[i + 2] = a - e;
        im[i + 2] = b - f;
        re[i + 3] = c - h;
        im[i + 3] = d + g;
      }
      span = 4;
    }
    for (let stage = 0; span < n; span *= 2, stage++) {
      const { cos, sin } = this.#stages[stage]!;
      const step = span * 2;
      for (let from = 0; from < n; from += step) {
        for (let k = 0, i = from, j = from + span; k < span; k++, i++, j++) {
          const c = cos[k]!;
          const s = sin[k]!;
          const a = re[j]!;
          const b = im[j]!;
          const p = re[i]!;
          const q = im[i]!;
          const x = a * c + b * s;
          const y = b * c - a * s;
          re[j] = p - x;
          im[j] = q - y;
          re[i] = p + x;
          im[i] = q + y;
        }
      }
    }
  }
}

interface Stage {
  cos: Float64Array;
  sin: Float64Array;
}

/** Stores the twiddle factors of each stage contiguously, because strided reads from a shared table miss the cache. */
function stages(half: number): Stage[] {
  const out: Stage[] = [];
  for (let span = half >= 4 ? 4 : 1; span < half; span *= 2) {
    out.push({
      cos: Float64Array.from({ length: span }, (_, k) => Math.cos((Math.PI * k) / span)),
      sin: Float64Array.from({ length: span }, (_, k) => Math.sin((Math.PI * k) / span)),
    });
  }
  return out;
}

export const hann = (size: number): Float64Array => Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));

/** Returns the autocorrelation of `signal` for lags 0 to `lags` - 1, each divided by the number of products summed. */
export function autocorrelation(signal: Float64Array, lags: number): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(4, signal.length + lags)));
  const fft = new RealFft(size);
  const padded = new Float64Array(size);
  padded.set(signal);
  const power = new Float64Array(size / 2 + 1);
  fft.power(padded, power);
  // The power spectrum is even, so a second forward transform yields the inverse, of which only the real part is needed.
  const mirrored = new Float64Array(size);
  for (let k = 0; k < size; k++) mirrored[k] = power[k <= size / 2 ? k : size - k]!;
  const real = fft.real(mirrored);
  return Float64Array.from({ length: lags }, (_, lag) => (lag < signal.length && lag <= size / 2 ? real[lag]! / size / (signal.length - lag) : 0));
}
