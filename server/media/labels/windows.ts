/** Collects a few evenly spread windows of a track for the tagging model, without knowing the track length in advance. */
import type { Block } from "../engine/samples.ts";
import { LABEL_RATE, WINDOW_SECONDS } from "./labels.ts";

const MAX_WINDOWS = 6;
const WINDOW_SAMPLES = LABEL_RATE * WINDOW_SECONDS;
const MIN_SAMPLES = LABEL_RATE;

/** Stores every n-th window. When there are too many, drops every second one and doubles n, so the windows stay evenly spread. */
export class WindowSink {
  #windows: Float32Array[] = [];
  #every = 1;
  #index = 0;
  #current = new Float32Array(WINDOW_SAMPLES);
  #filled = 0;

  /** Accepts mono audio at `LABEL_RATE`. */
  push({ channels, length }: Block): void {
    const samples = channels[0];
    if (!samples) return;
    for (let done = 0; done < length;) {
      const count = Math.min(length - done, WINDOW_SAMPLES - this.#filled);
      if (this.#index % this.#every === 0) this.#current.set(samples.subarray(done, done + count), this.#filled);
      this.#filled += count;
      done += count;
      if (this.#filled === WINDOW_SAMPLES) this.#storeWindow();
    }
  }

  finish(): Float32Array[] {
    if (this.#windows.length === 0 && this.#filled >= MIN_SAMPLES) this.#windows.push(this.#current.slice(0, this.#filled));
    return this.#windows;
  }

  #storeWindow(): void {
    this.#filled = 0;
    if (this.#index++ % this.#every !== 0) return;
    this.#windows.push(this.#current);
    this.#current = new Float32Array(WINDOW_SAMPLES);
    if (this.#windows.length <= MAX_WINDOWS) return;
    this.#windows = this.#windows.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }
}
