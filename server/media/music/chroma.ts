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
const FADE = 0.6;
/** Peaks this much weaker than the strongest one of their moment are left out (power). */
const FLOOR = 1e-4;

/** One vector of 36 for each moment (0.37 s), C first. */
export class ChromaSink {
  readonly #fft = new RealFft(WINDOW);
  readonly #window = hann(WINDOW);
  readonly #room = new Float32Array(WINDOW);
  readonly #frame = new Float64Array(WINDOW);
  readonly #power = new Float64Array(WINDOW / 2 + 1);
  #filled = 0;
  readonly moments: Float64Array[] = [];

  push(samples: Float32Array, length: number): void {
    for (let done = 0; done < length; ) {
      const take = Math.min(length - done, WINDOW - this.#filled);
      this.#room.set(samples.subarray(done, done + take), this.#filled);
      this.#filled += take;
      done += take;
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
    const vector = new Float64Array(BINS);
    // Below this there is only noise.
    if (strongest < 1e-3) return void this.moments.push(vector);
    for (let k = from; k <= to; k++) {
      const value = power[k]!;
      if (value < strongest * FLOOR || value <= power[k - 1]! || value < power[k + 1]!) continue;
      // The top of a parabola through the logarithms of three neighbors.
      const [a, b, c] = [Math.log(power[k - 1]! + 1e-20), Math.log(value), Math.log(power[k + 1]! + 1e-20)];
      const shift = (0.5 * (a - c)) / (a - 2 * b + c);
      this.#spread(vector, (k + shift) * bin, Math.sqrt(value));
    }
    this.moments.push(vector);
  }

  #spread(vector: Float64Array, hertz: number, size: number): void {
    for (let h = 1, weight = 1; h <= HARMONICS; h++, weight *= FADE) {
      const pitch = hertz / h;
      if (pitch < LOWEST_HZ / 2) return;
      const at = BINS * (Math.log2(pitch / 261.625_565_3) + 10);
      const low = Math.floor(at);
      const part = at - low;
      vector[low % BINS]! += size * weight * (1 - part);
      vector[(low + 1) % BINS]! += size * weight * part;
    }
  }
}
