/**
 * Cuts a sound of unknown length into equal slices in one pass: the highest magnitude of every slice, with borders at the exact sample. Blocks of equal
 * length keep more than their highest magnitude: they keep how it builds up from either end, so that a border may lie anywhere inside them. When there are
 * too many blocks, every two become one.
 */
import type { Block } from "../engine/samples.ts";

/** At least half as many blocks remain when the sound ends, so a slice of `MAX_SLICES` is longer than a block. */
const MAX_BLOCKS = 4_096;
export const MAX_SLICES = MAX_BLOCKS / 2;
/** Magnitudes are rounded to steps of 1/128, as in the peaks, which also bounds the entries of a block: 8 MB in all for the most hostile sound. */
const LEVELS = 128;
/** An entry is a position and a level in one number. */
const ENTRY = 256;

const levelOf = (entry: number): number => entry % ENTRY;
const positionOf = (entry: number): number => Math.floor(entry / ENTRY);

interface Envelope {
  /** Samples that are louder than all before them in the block, in order. */
  rising: number[];
  /** Samples that are louder than all after them in the block, in order. */
  falling: number[];
}

const highestOf = ({ falling }: Envelope): number => (falling.length === 0 ? 0 : levelOf(falling[0]!));

/** Appends a later part to an envelope. */
function append(envelope: Envelope, { rising, falling }: Envelope): void {
  const before = highestOf(envelope);
  const after = falling.length === 0 ? 0 : levelOf(falling[0]!);
  if (after > before) for (const entry of rising) if (levelOf(entry) > before) envelope.rising.push(entry);
  let kept = envelope.falling.length;
  while (kept > 0 && levelOf(envelope.falling[kept - 1]!) <= after) kept--;
  envelope.falling.length = kept;
  for (const entry of falling) envelope.falling.push(entry);
}

export class WaveSink {
  #blocks: Envelope[] = [];
  #blockLength = 1;
  #current: Envelope = { rising: [], falling: [] };
  #filled = 0;
  #magnitudes = new Float32Array(8_192);
  #count = 0;

  push({ channels, length }: Block): void {
    if (this.#magnitudes.length < length) this.#magnitudes = new Float32Array(length);
    measureMagnitudes(channels, this.#magnitudes, length);
    for (let start = 0; start < length;) {
      const end = Math.min(length, start + this.#blockLength - this.#filled);
      append(this.#current, this.#measure(start, end));
      this.#filled += end - start;
      this.#count += end - start;
      start = end;
      if (this.#filled === this.#blockLength) this.#finishBlock();
    }
  }

  /** Returns the highest magnitude, 0..1, of each of `count` slices, or of every sample if there are fewer. Slice i begins at sample `floor(i * samples / count)`. */
  slices(count: number): number[] {
    const slices = Math.min(count, MAX_SLICES, this.#count);
    const border = (slice: number): number => Math.floor((slice * this.#count) / slices);
    return Array.from({ length: slices }, (_, slice) => this.#highest(border(slice), border(slice + 1)) / LEVELS);
  }

  /** Returns the envelope of a part of the pushed samples. It looks no further from either end than the highest sample. */
  #measure(start: number, end: number): Envelope {
    const magnitudes = this.#magnitudes;
    const offset = this.#count - start;
    let highest = 0;
    for (let i = start; i < end; i++) if (magnitudes[i]! > highest) highest = magnitudes[i]!;
    const top = toLevel(highest);
    const collect = (from: number, step: number, above: number): number[] => {
      const entries: number[] = [];
      let threshold = nextLevel(above);
      for (let i = from, reached = above; reached < top; i += step) {
        if (magnitudes[i]! < threshold) continue;
        reached = toLevel(magnitudes[i]!);
        threshold = nextLevel(reached);
        entries.push((offset + i) * ENTRY + reached);
      }
      return entries;
    };
    // A part that is no louder than what its block has already adds nothing from the left.
    return { rising: collect(start, 1, highestOf(this.#current)), falling: collect(end - 1, -1, 0).toReversed() };
  }

  #finishBlock(): void {
    this.#blocks.push(this.#current);
    this.#current = { rising: [], falling: [] };
    this.#filled = 0;
    if (this.#blocks.length < MAX_BLOCKS) return;
    const pairs: Envelope[] = [];
    for (let i = 0; i < this.#blocks.length; i += 2) {
      append(this.#blocks[i]!, this.#blocks[i + 1]!);
      pairs.push(this.#blocks[i]!);
    }
    this.#blocks = pairs;
    this.#blockLength *= 2;
  }

  /** Returns the highest level of the samples `[from, to)`. */
  #highest(from: number, to: number): number {
    let highest = 0;
    const last = Math.floor((to - 1) / this.#blockLength);
    for (let index = Math.floor(from / this.#blockLength); index <= last; index++) {
      const block = this.#blocks[index] ?? this.#current;
      const start = index * this.#blockLength;
      const [startsInside, endsInside] = [from > start, to < Math.min(this.#count, start + this.#blockLength)];
      const entry = startsInside
        ? block.falling.find((falling) => positionOf(falling) >= from)
        : endsInside
          ? block.rising.findLast((rising) => positionOf(rising) < to)
          : block.falling[0];
      if (entry !== undefined) highest = Math.max(highest, levelOf(entry));
    }
    return highest;
  }
}

const toLevel = (magnitude: number): number => (magnitude >= 1 ? LEVELS : Math.floor(magnitude * LEVELS + 0.5));
/** Returns the magnitude from which on a sample is above this level. */
const nextLevel = (level: number): number => (level + 0.5) / LEVELS;

/** Writes the highest magnitude over all channels of every sample. */
function measureMagnitudes(channels: readonly Float32Array[], out: Float32Array, length: number): void {
  const first = channels[0]!;
  const second = channels[1] ?? first;
  for (let i = 0; i < length; i++) {
    const a = Math.abs(first[i]!);
    const b = Math.abs(second[i]!);
    out[i] = a > b ? a : b;
  }
  for (const samples of channels.slice(2)) {
    for (let i = 0; i < length; i++) {
      const magnitude = Math.abs(samples[i]!);
      if (magnitude > out[i]!) out[i] = magnitude;
    }
  }
}
