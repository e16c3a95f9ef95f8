/** Builds min/max waveform data while decoding: a pyramid of files, each level four times coarser than the previous one, and the `wave` of the API. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Block } from "../engine/samples.ts";
import { HEADER_BYTES } from "./dat.ts";
import { LEVEL_STEP, LevelFile } from "./level.ts";
import { addSegment, createSegments, SEGMENT_SAMPLES, WaveSink } from "./wave.ts";

/** 689 pixels per second at 44.1 kHz, fine enough for single beats and transients. */
const BASE_SAMPLES_PER_PIXEL = SEGMENT_SAMPLES;
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
  readonly #sampleRate: number;
  readonly #channels: number;
  /** Finest first. */
  readonly #levels: LevelFile[] = [];
  /** Lowest and highest value of every channel of the pixel being filled. */
  readonly #low: Float32Array;
  readonly #high: Float32Array;
  #filled = 0;
  readonly #segments = createSegments();
  readonly #wave = new WaveSink();

  constructor(folder: string, sampleRate: number, channels: number) {
    this.#sampleRate = sampleRate;
    this.#channels = channels;
    this.#low = new Float32Array(channels).fill(Infinity);
    this.#high = new Float32Array(channels).fill(-Infinity);
    for (let index = MAX_LEVELS - 1; index >= 0; index--) {
      const samplesPerPixel = BASE_SAMPLES_PER_PIXEL * LEVEL_STEP ** index;
      this.#levels.unshift(new LevelFile(join(folder, levelFileName(samplesPerPixel)), sampleRate, samplesPerPixel, channels, this.#levels[0] ?? null));
    }
  }

  push(block: Block): void {
    const { length } = block;
    const channels = block.channels.slice(0, this.#channels);
    const segments = this.#segments;
    segments.count = 0;
    for (let start = 0; start < length;) {
      const end = Math.min(length, start + BASE_SAMPLES_PER_PIXEL - this.#filled);
      addSegment(segments, end, this.#measure(channels, start, end));
      this.#filled += end - start;
      start = end;
      if (this.#filled === BASE_SAMPLES_PER_PIXEL) this.#finishBasePixel();
    }
    this.#wave.push({ channels, length }, segments);
  }

  finish(): Peaks {
    if (this.#filled > 0) this.#finishBasePixel();
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

  /** Adds these samples to the pixel being filled, and returns their highest magnitude. */
  #measure(channels: readonly Float32Array[], start: number, end: number): number {
    let magnitude = 0;
    for (let c = 0; c < channels.length; c++) {
      const samples = channels[c]!;
      let low = Infinity;
      let high = -Infinity;
      for (let i = start; i < end; i++) {
        const value = samples[i]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (low < this.#low[c]!) this.#low[c] = low;
      if (high > this.#high[c]!) this.#high[c] = high;
      if (high > magnitude) magnitude = high;
      if (-low > magnitude) magnitude = -low;
    }
    return magnitude;
  }

  #finishBasePixel(): void {
    const base = this.#levels[0]!;
    for (let c = 0; c < this.#channels; c++) {
      base.push(toInt8(this.#low[c]!), toInt8(this.#high[c]!));
      this.#low[c] = Infinity;
      this.#high[c] = -Infinity;
    }
    this.#filled = 0;
  }
}

const levelFileName = (samplesPerPixel: number): string => `peaks-${samplesPerPixel}.dat`;

/** Maps -1..1 to -128..127. */
const toInt8 = (value: number): number => Math.max(-128, Math.min(127, Math.round(value * 128)));

const roundDecimals = (value: number): number => Math.round(value * PRECISION) / PRECISION;
