/** Writes the file of one zoom level pixel by pixel. */
import { closeSync, openSync, writeSync } from "node:fs";
import { HEADER_BYTES, writeHeader } from "./dat.ts";

/** Factor by which each level is coarser than the previous one. */
export const LEVEL_STEP = 4;
const BUFFER_BYTES = 1 << 18;

export class LevelFile {
  readonly samplesPerPixel: number;
  readonly path: string;
  readonly #sampleRate: number;
  readonly #row: number;
  readonly #file: number;
  /** Holds a multiple of `LEVEL_STEP` pixels, so that each full buffer becomes whole pixels of the next level. */
  readonly #buffer: Int8Array;
  /** The next coarser level; null for the coarsest one. */
  readonly #coarser: LevelFile | null;
  #used = 0;
  /** Number of pixels written. */
  length = 0;

  constructor(path: string, sampleRate: number, samplesPerPixel: number, channels: number, coarser: LevelFile | null) {
    this.path = path;
    this.samplesPerPixel = samplesPerPixel;
    this.#sampleRate = sampleRate;
    this.#row = channels * 2;
    this.#coarser = coarser;
    this.#buffer = new Int8Array(BUFFER_BYTES - (BUFFER_BYTES % (this.#row * LEVEL_STEP)));
    this.#file = openSync(path, "w");
    // Reserves the header, because the pixel count is known only at the end.
    writeSync(this.#file, Buffer.alloc(HEADER_BYTES));
  }

  /** Appends the lowest and highest value of the next channel, -128..127; those of all channels are a pixel. */
  push(low: number, high: number): void {
    this.#buffer[this.#used] = low;
    this.#buffer[this.#used + 1] = high;
    this.#used += 2;
    if (this.#used === this.#buffer.length) this.#flush();
  }

  /** Writes what remains. Finer levels must be finished first. */
  finish(): void {
    this.#flush();
    const header = { sampleRate: this.#sampleRate, samplesPerPixel: this.samplesPerPixel, length: this.length, channels: this.#row / 2 };
    writeSync(this.#file, writeHeader(header), 0, HEADER_BYTES, 0);
    closeSync(this.#file);
  }

  #flush(): void {
    // A full disk may write only part of the buffer.
    for (let done = 0; done < this.#used;) done += writeSync(this.#file, this.#buffer, done, this.#used - done);
    this.length += this.#used / this.#row;
    if (this.#coarser) this.#merge(this.#coarser);
    this.#used = 0;
  }

  /** Every four pixels of the buffer become one of the next level; the last ones may be fewer. */
  #merge(coarser: LevelFile): void {
    const [values, row] = [this.#buffer, this.#row];
    for (let group = 0; group < this.#used; group += row * LEVEL_STEP) {
      const end = Math.min(this.#used, group + row * LEVEL_STEP);
      for (let column = group; column < group + row; column += 2) {
        let low = values[column]!;
        let high = values[column + 1]!;
        for (let at = column + row; at < end; at += row) {
          if (values[at]! < low) low = values[at]!;
          if (values[at + 1]! > high) high = values[at + 1]!;
        }
        coarser.push(low, high);
      }
    }
  }
}
