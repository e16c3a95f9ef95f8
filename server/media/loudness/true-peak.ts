/**
 * True peak: the highest value of the curve between the samples, found by oversampling (ITU-R BS.1770-4, annex 2).
 * Most samples need no filter: the curve cannot exceed the highest nearby sample times the filter's own largest gain.
 */
const TAPS = 24;
const HALF = TAPS / 2;
/** Kaiser window, 70 dB. */
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

/** Filters for the points between two samples, `phase / factor` of the way. */
function filters(factor: number): Float64Array[] {
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

/** 4 x below 96 kHz, 2 x below 192 kHz: the recommendation asks for 192 kHz or more. */
const factorFor = (rate: number): number => (rate >= 176_400 ? 1 : rate >= 88_200 ? 2 : 4);

/** Samples looked at in one go: whole stretches, so that three of them always cover one filter. */
const BATCH = HALF * 340;

export class TruePeak {
  readonly #filters: Float64Array[];
  readonly #bound: number;
  /** The last TAPS samples of the batch before, then the batch. */
  readonly #room = new Float32Array(TAPS + BATCH);
  #filled = 0;
  /** Highest sample of the last stretch and of the one before. */
  #recent = 0;
  #older = 0;
  /** Highest magnitudes so far, linear; complete after `finish`. */
  truePeak = 0;
  samplePeak = 0;

  constructor(rate: number) {
    this.#filters = filters(factorFor(rate));
    this.#bound = Math.max(1, ...this.#filters.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)));
  }

  push(samples: Float32Array, length: number): void {
    for (let done = 0; done < length; ) {
      const take = Math.min(length - done, BATCH - this.#filled);
      this.#room.set(samples.subarray(done, done + take), TAPS + this.#filled);
      this.#filled += take;
      done += take;
      if (this.#filled === BATCH) this.#look();
    }
  }

  /** The curve goes on for a moment after the last sample. */
  finish(): void {
    this.push(new Float32Array(TAPS), TAPS);
    this.#room.fill(0, TAPS + this.#filled);
    this.#look();
  }

  #look(): void {
    const room = this.#room;
    for (let start = TAPS; start < room.length; start += HALF) {
      const end = start + HALF;
      let local = 0;
      for (let i = start; i < end; i++) {
        const value = room[i]!;
        const size = value < 0 ? -value : value;
        if (size > local) local = size;
      }
      if (local > this.samplePeak) this.samplePeak = local;
      if (Math.max(local, this.#recent, this.#older) * this.#bound > this.truePeak) this.#between(room, start, end);
      this.#older = this.#recent;
      this.#recent = local;
    }
    if (this.samplePeak > this.truePeak) this.truePeak = this.samplePeak;
    room.copyWithin(0, BATCH, BATCH + TAPS);
    this.#filled = 0;
  }

  #between(room: Float32Array, start: number, end: number): void {
    let most = this.truePeak;
    for (const taps of this.#filters) {
      for (let i = start; i < end; i++) {
        let sum = 0;
        const first = i - TAPS + 1;
        for (let tap = 0; tap < TAPS; tap++) sum += taps[tap]! * room[first + tap]!;
        if (sum < 0) sum = -sum;
        if (sum > most) most = sum;
      }
    }
    this.truePeak = most;
  }
}
