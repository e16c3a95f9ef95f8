/**
 * K-weighting filters of ITU-R BS.1770: a shelf that models the head and a high-pass that removes inaudible bass. The
 * recommendation lists coefficients for 48 kHz. Other rates derive theirs from the same analog prototypes.
 */
const SHELF = { hertz: 1_681.974450955533, gainDb: 3.999843853973347, q: 0.7071752369554196, bandExponent: 0.4996667741545416 };
const HIGH_PASS = { hertz: 38.13547087602444, q: 0.5003270373238773 };
/** Filter state below this is set to zero before it becomes denormal, which is many times slower. */
const DENORMAL_LIMIT = 1e-25;

export interface Biquad {
  b0: number;
  b1: number;
  b2: number;
  a1: number;
  a2: number;
}

/** At rates that end below the shelf's frequency there is nothing to lift. */
const NO_FILTER: Biquad = { b0: 1, b1: 0, b2: 0, a1: 0, a2: 0 };

export function shelfFilter(rate: number): Biquad {
  if (rate <= 2 * SHELF.hertz) return NO_FILTER;
  const k = Math.tan((Math.PI * SHELF.hertz) / rate);
  const high = 10 ** (SHELF.gainDb / 20);
  const band = high ** SHELF.bandExponent;
  const a0 = 1 + k / SHELF.q + k * k;
  return {
    b0: (high + (band * k) / SHELF.q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / SHELF.q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / SHELF.q + k * k) / a0,
  };
}

export function highPassFilter(rate: number): Biquad {
  const k = Math.tan((Math.PI * HIGH_PASS.hertz) / rate);
  const a0 = 1 + k / HIGH_PASS.q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / HIGH_PASS.q + k * k) / a0 };
}

/** K-weighting filters and their state for one channel. */
export class KWeighting {
  readonly #shelf: Biquad;
  readonly #pass: Biquad;
  #s1 = 0;
  #s2 = 0;
  #p1 = 0;
  #p2 = 0;

  constructor(rate: number) {
    this.#shelf = shelfFilter(rate);
    this.#pass = highPassFilter(rate);
  }

  /** Returns the sum of squares of the weighted samples `[from, to)`. */
  energy(samples: Float32Array, from: number, to: number): number {
    const { b0, b1, b2, a1, a2 } = this.#shelf;
    const { a1: c1, a2: c2 } = this.#pass;
    let s1 = this.#s1;
    let s2 = this.#s2;
    let p1 = this.#p1;
    let p2 = this.#p2;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const x = samples[i]!;
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      const z = y + p1;
      p1 = -2 * y - c1 * z + p2;
      p2 = y - c2 * z;
      sum += z * z;
    }
    const flushDenormal = (memory: number): number => (Math.abs(memory) < DENORMAL_LIMIT ? 0 : memory);
    this.#s1 = flushDenormal(s1);
    this.#s2 = flushDenormal(s2);
    this.#p1 = flushDenormal(p1);
    this.#p2 = flushDenormal(p2);
    return sum;
  }
}
