/** Which pitch classes sound, in 36 parts of an octave, so that the tuning can be found afterwards. */
import { hann, RealFft } from "../signal/fft.ts";

export const CHROMA_RATE = 11_025;
const WINDOW = 8_192;
const HOP = 4_096;
export const BINS = 36;
const LOWEST_HZ = 55;
const HIGHEST_HZ = 2_000;
/** A peak speaks for its own pitch and, more quietly, for the tones of which it would be an overtone. */
const HARMONICS = 4;
const HARMONIC_DECAY = 0.6;
/** Peaks this much weaker than the strongest one of their moment are left out (power). */
const PEAK_FLOOR = 1e-4;
/** Power below which a moment holds only noise. */
const NOISE_FLOOR = 1e-3;
const MIDDLE_C = 261.625_565_3;

/** Below this a peak is taken for the bass, which mostly plays roots. */
const BASS_HZ = 200;

export interface ChromaFrame {
  /** 36 values, C first. */
  all: Float64Array;
  /** The same of the bass alone, without its overtones. */
  bass: Float64Array;
}

/** One pair of vectors for each moment (0.37 s). */
export class ChromaSink {
  readonly #fft = new RealFft(WINDOW);
  readonly #window = hann(WINDOW);
  readonly #room = new Float32Array(WINDOW);
  readonly #frame = new Float64Array(WINDOW);
  readonly #power = new Float64Array(WINDOW / 2 + 1);
  #filled = 0;
  readonly frames: ChromaFrame[] = [];

  push(samples: Float32Array, length: number): void {
    for (let done = 0; done < length;) {
      const count = Math.min(length - done, WINDOW - this.#filled);
      this.#room.set(samples.subarray(done, done + count), this.#filled);
      this.#filled += count;
      done += count;
      if (this.#filled < WINDOW) continue;
      this.#analyze();
      this.#room.copyWithin(0, HOP);
      this.#filled = WINDOW - HOP;
    }
  }

  #analyze(): void {
    for (let i = 0; i < WINDOW; i++) this.#frame[i] = this.#room[i]! * this.#window[i]!;
    this.#fft.power(this.#frame, this.#power);
    const bin = CHROMA_RATE / WINDOW;
    const from = Math.ceil(LOWEST_HZ / bin);
    const to = Math.floor(HIGHEST_HZ / bin);
    const power = this.#power;
    let strongest = 0;
    for (let k = from; k <= to; k++) strongest = Math.max(strongest, power[k]!);
    const frame: ChromaFrame = { all: new Float64Array(BINS), bass: new Float64Array(BINS) };
    this.frames.push(frame);
    if (strongest < NOISE_FLOOR) return;
    for (let k = from; k <= to; k++) {
      const value = power[k]!;
      if (value < strongest * PEAK_FLOOR || value <= power[k - 1]! || value < power[k + 1]!) continue;
      // The top of a parabola through the logarithms of three neighbors.
      const [a, b, c] = [Math.log(power[k - 1]! + 1e-20), Math.log(value), Math.log(power[k + 1]! + 1e-20)];
      const shift = (0.5 * (a - c)) / (a - 2 * b + c);
      const hertz = (k + shift) * bin;
      const magnitude = Math.sqrt(value);
      for (let h = 1, weight = 1; h <= HARMONICS && hertz / h >= LOWEST_HZ / 2; h++, weight *= HARMONIC_DECAY)
        addToBins(frame.all, hertz / h, magnitude * weight);
      if (hertz < BASS_HZ) addToBins(frame.bass, hertz, magnitude);
    }
  }
}

/** Shares the size between the two nearest bins. */
function addToBins(vector: Float64Array, hertz: number, magnitude: number): void {
  // Ten octaves up keep the logarithm positive.
  const position = BINS * (Math.log2(hertz / MIDDLE_C) + 10);
  const low = Math.floor(position);
  const fraction = position - low;
  vector[low % BINS]! += magnitude * (1 - fraction);
  vector[(low + 1) % BINS]! += magnitude * fraction;
}
