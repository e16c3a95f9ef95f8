/** Builds min/max waveform data while decoding: a pyramid of files, each level four times coarser than the previous one, and the `wave` of the API. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Block } from "../engine/samples.ts";
import { HEADER_BYTES } from "./dat.ts";
import { LEVEL_STEP, LevelFile } from "./level.ts";
import { WaveSink } from "./wave.ts";

/** 689 pixels per second at 44.1 kHz, fine enough for single beats and transients. */
const BASE_SAMPLES_PER_PIXEL = 64;
/** The first level with fewer pixels is the coarsest one. */
const COARSEST_PIXELS = 800;
/** Enough for a day at 192 kHz. Levels that turn out too coarse are deleted at the end. */
const MAX_LEVELS = 10;
/** Number of values of the API's `wave`, which is drawn before anything else has loaded, and of the short wave in a chat attachment. */
const WAVE_VALUES = 1_800;
const SHORT_WAVE_VALUES = 200;
/** Wave values are multiples of one thousandth. */
const PRECISION = 1_000;

interface PeakLevel {
  /** File name inside the output folder. */
  file: string;
  samplesPerPixel: number;
  pixels: number;
  bytes: number;
}

export interface Peaks {
  sampleRate: number;
  channels: number;
  /** Finest first. */
  levels: PeakLevel[];
  /** Highest magnitude over all channels of 1,800 equal slices, 0..1, or of every sample of a shorter sound. At most 1/200 off. */
  wave: number[];
  shortWave: number[];
}

export class PeakSink {
  readonly #folder: string;
  readonly #sampleRate: number;
  readonly #channels: number;
  readonly #levels: LevelFile[] = [];
  /** Pixel being filled for each level, with the number of finer pixels merged into it so far. */
  readonly #pending: { row: Int8Array; count: number }[] = [];
  readonly #low: Float32Array;
  readonly #high: Float32Array;
  readonly #row: Int8Array;
  #filled = 0;
  readonly #wave = new WaveSink();

  constructor(folder: string, sampleRate: number, channels: number) {
    this.#folder = folder;
    this.#sampleRate = sampleRate;
    this.#channels = channels;
    this.#low = new Float32Array(channels).fill(Infinity);
    this.#high = new Float32Array(channels).fill(-Infinity);
    this.#row = new Int8Array(channels * 2);
    for (let level = 0; level < MAX_LEVELS; level++) this.#addLevel();
  }

  push(block: Block): void {
    this.#wave.push(block);
    const { channels, length } = block;
    for (let start = 0; start < length;) {
      const end = Math.min(length, start + BASE_SAMPLES_PER_PIXEL - this.#filled);
      for (let c = 0; c < this.#channels; c++) {
        const samples = channels[c]!;
        let low = this.#low[c]!;
        let high = this.#high[c]!;
        for (let i = start; i < end; i++) {
          const value = samples[i]!;
          if (value < low) low = value;
          if (value > high) high = value;
        }
        this.#low[c] = low;
        this.#high[c] = high;
      }
      this.#filled += end - start;
      start = end;
      if (this.#filled === BASE_SAMPLES_PER_PIXEL) this.#finishBasePixel();
    }
  }

  finish(): Peaks {
    if (this.#filled > 0) this.#finishBasePixel();
    for (let level = 1; level < this.#levels.length; level++) this.#flushPending(level);
    for (const level of this.#levels) level.finish();
    const coarsestIndex = this.#levels.findIndex((level) => level.length < COARSEST_PIXELS);
    const levelCount = coarsestIndex < 0 ? this.#levels.length : coarsestIndex + 1;
    for (const level of this.#levels.slice(levelCount)) rmSync(level.path);
    const levels = this.#levels.slice(0, levelCount);
    return {
      sampleRate: this.#sampleRate,
      channels: this.#channels,
      levels: levels.map((level) => ({
        file: levelFileName(level.samplesPerPixel),
        samplesPerPixel: level.samplesPerPixel,
        pixels: level.length,
        bytes: HEADER_BYTES + level.length * this.#channels * 2,
      })),
      wave: this.#wave.slices(WAVE_VALUES).map(roundDecimals),
      shortWave: this.#wave.slices(SHORT_WAVE_VALUES).map(roundDecimals),
    };
  }

  #finishBasePixel(): void {
    for (let c = 0; c < this.#channels; c++) {
      this.#row[c * 2] = toInt8(this.#low[c]!);
      this.#row[c * 2 + 1] = toInt8(this.#high[c]!);
    }
    this.#low.fill(Infinity);
    this.#high.fill(-Infinity);
    this.#filled = 0;
    this.#pushPixel(0, this.#row);
  }

  #pushPixel(level: number, row: Int8Array): void {
    this.#levels[level]!.push(row);
    if (level + 1 === MAX_LEVELS) return;
    const next = this.#pending[level + 1]!;
    if (next.count === 0) next.row.set(row);
    else mergeEnvelope(next.row, row);
    if (++next.count === LEVEL_STEP) this.#flushPending(level + 1);
  }

  #flushPending(level: number): void {
    const next = this.#pending[level]!;
    if (next.count === 0) return;
    next.count = 0;
    this.#pushPixel(level, next.row);
  }

  #addLevel(): void {
    const samplesPerPixel = BASE_SAMPLES_PER_PIXEL * LEVEL_STEP ** this.#levels.length;
    this.#levels.push(new LevelFile(join(this.#folder, levelFileName(samplesPerPixel)), this.#sampleRate, samplesPerPixel, this.#channels));
    this.#pending.push({ row: new Int8Array(this.#channels * 2), count: 0 });
  }
}

const levelFileName = (samplesPerPixel: number): string => `peaks-${samplesPerPixel}.dat`;

/** Maps -1..1 to -128..127. */
const toInt8 = (value: number): number => Math.max(-128, Math.min(127, Math.round(value * 128)));

function mergeEnvelope(into: Int8Array, row: Int8Array): void {
  for (let i = 0; i < row.length; i += 2) {
    if (row[i]! < into[i]!) into[i] = row[i]!;
    if (row[i + 1]! > into[i + 1]!) into[i + 1] = row[i + 1]!;
  }
}

const roundDecimals = (value: number): number => Math.round(value * PRECISION) / PRECISION;
