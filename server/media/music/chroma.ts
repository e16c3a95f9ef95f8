/** Computes pitch class strengths in 36 bins per octave, fine enough to estimate the tuning afterwards. */
import { hann, RealFft } from "../signal/fft.ts";

export const CHROMA_RATE = 11_025;
const WINDOW = 8_192;
const HOP = 4_096;
export const BINS = 36;
const LOWEST_HZ = 55;
const HIGHEST_HZ = 2_000;
/** A spectral peak counts for its own pitch and, with decreasing weight, for the tones of which it could be an overtone. */
const HARMONICS = 4;
const HARMONIC_DECAY = 0.6;
/** Peaks weaker than the frame's strongest peak by this power ratio are ignored. */
const PEAK_FLOOR = 1e-4;
/** Power below which a frame contains only noise. */
const NOISE_FLOOR = 1e-3;
const MIDDLE_C = 261.625_565_3;

/** Peaks below this frequency count as bass, which mostly plays root notes. */
const BASS_HZ = 200;

export interface ChromaFrame {
  /** 36 bins, starting at C. */
  all: Float64Array;
  /** Bass peaks only, without overtone weighting. */
  bass: Float64Array;
}

/** Collects one `ChromaFrame` every 0.37 s. */
export class ChromaSink {
  readonly #fft = new RealFft(WINDOW);
  readonly #window = hann(WINDOW);
  readonly #buffer = new Float32Array(WINDOW);
  readonly #frame = new Float64Array(WINDOW);
  readonly #power = new Float64Array(WINDOW / 2 + 1);
  #filled = 0;
  readonly frames: ChromaFrame[] = [];

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

  #analyze(): void {
    for (let i = 0; i < WINDOW; i++) this.#frame[i] = this.#buffer[i]! * this.#window[i]!;
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
      // Vertex of a parabola through the logarithms of three adjacent bins.
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

/** Splits the magnitude between the two nearest bins. */
function addToBins(vector: Float64Array, hertz: number, magnitude: number): void {
  // Adding ten octaves keeps the logarithm positive.
  const position = BINS * (Math.log2(hertz / MIDDLE_C) + 10);
  const low = Math.floor(position);
  const fraction = position - low;
  vector[low % BINS]! += magnitude * (1 - fraction);
  vector[(low + 1) % BINS]! += magnitude * fraction;
}
