/** Two-pole state-variable filter with trapezoidal integration (TPT), which stays stable while its cutoff changes. */
import { SAMPLE_RATE } from "./track.ts";

export class Filter {
  /** State of the first and the second integrator. */
  #state1 = 0;
  #state2 = 0;
  /** Integrator gain, `tan(pi * cutoff / sample rate)`. */
  #g = 0;
  /** Damping, `1 / Q`. */
  #damping = 1;
  /** Normalization, `1 / (1 + g * (g + damping))`. */
  #scale = 1;
  /** Low-pass, band-pass and high-pass output of the last sample. */
  low = 0;
  band = 0;
  high = 0;

  /** Sets the cutoff in Hz, limited to 45 % of the sample rate, and the resonance from 0 (Q is 0.5) to 1 (Q is 10). */
  tune(cutoff: number, resonance: number): void {
    this.#g = Math.tan((Math.PI * Math.min(cutoff, SAMPLE_RATE * 0.45)) / SAMPLE_RATE);
    this.#damping = 2 - 1.9 * resonance;
    this.#scale = 1 / (1 + this.#g * (this.#g + this.#damping));
  }

  /** Filters one sample and sets `low`, `band` and `high`. */
  process(sample: number): void {
    this.high = (sample - (this.#g + this.#damping) * this.#state1 - this.#state2) * this.#scale;
    this.band = this.#g * this.high + this.#state1;
    this.low = this.#g * this.band + this.#state2;
    this.#state1 = this.band + this.#g * this.high;
    this.#state2 = this.low + this.#g * this.band;
  }
}

export function createFilter(cutoff: number, resonance: number): Filter {
  const filter = new Filter();
  filter.tune(cutoff, resonance);
  return filter;
}
