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
  readonly #buffer: Int8Array;
  #used = 0;
  /** Number of pixels written. */
  length = 0;

  constructor(path: string, sampleRate: number, samplesPerPixel: number, channels: number) {
    this.path = path;
    this.samplesPerPixel = samplesPerPixel;
    this.#sampleRate = sampleRate;
    this.#row = channels * 2;
    this.#buffer = new Int8Array(BUFFER_BYTES - (BUFFER_BYTES % this.#row));
    this.#file = openSync(path, "w");
    // Reserves the header, because the pixel count is known only at the end.
    writeSync(this.#file, Buffer.alloc(HEADER_BYTES));
  }

  /** Appends a copy of one pixel (lowest and highest value of every channel). */
  push(row: Int8Array): void {
    this.#buffer.set(row, this.#used);
    this.#used += this.#row;
    this.length++;
    if (this.#used === this.#buffer.length) this.#flush();
  }

  finish(): void {
    this.#flush();
    const header = { sampleRate: this.#sampleRate, samplesPerPixel: this.samplesPerPixel, length: this.length, channels: this.#row / 2 };
    writeSync(this.#file, writeHeader(header), 0, HEADER_BYTES, 0);
    closeSync(this.#file);
  }

  #flush(): void {
    // A full disk may write only part of the buffer.
    for (let done = 0; done < this.#used;) done += writeSync(this.#file, this.#buffer, done, this.#used - done);
    this.#used = 0;
  }
}
