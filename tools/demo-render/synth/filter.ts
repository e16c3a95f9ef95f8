/** A state variable filter (the trapezoidal one, stable while its cutoff moves): low, band and high from one pass. */
import { RATE } from "./track.ts";

export class Filter {
  #a = 0;
  #b = 0;
  #g = 0;
  #k = 1;
  #d = 1;
  low = 0;
  band = 0;
  high = 0;

  /** `resonance` 0 to 1. */
  tune(hertz: number, resonance: number): void {
    this.#g = Math.tan((Math.PI * Math.min(hertz, RATE * 0.45)) / RATE);
    this.#k = 2 - 1.9 * resonance;
    this.#d = 1 / (1 + this.#g * (this.#g + this.#k));
  }

  run(sample: number): void {
    this.high = (sample - (this.#g + this.#k) * this.#a - this.#b) * this.#d;
    this.band = this.#g * this.high + this.#a;
    this.low = this.#g * this.band + this.#b;
    this.#a = this.band + this.#g * this.high;
    this.#b = this.low + this.#g * this.band;
  }
}

export function createFilter(hertz: number, resonance: number): Filter {
  const filter = new Filter();
  filter.tune(hertz, resonance);
  return filter;
}
