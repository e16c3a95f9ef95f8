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

/** Samples of a segment. Blocks of fewer samples are measured sample by sample. */
export const SEGMENT_SAMPLES = 64;

/** Where the segments of some samples end, and their highest magnitudes over all channels. Only the first and the last one may be incomplete. */
interface Segments {
  count: number;
  ends: number[];
  magnitudes: number[];
}

export const createSegments = (): Segments => ({ count: 0, ends: [], magnitudes: [] });

export function addSegment(segments: Segments, end: number, magnitude: number): void {
  segments.ends[segments.count] = end;
  segments.magnitudes[segments.count] = magnitude;
  segments.count++;
}

export class WaveSink {
  #blocks: Envelope[] = [];
  #blockLength = 1;
  #current: Envelope = { rising: [], falling: [] };
  #filled = 0;
  #count = 0;
  readonly #singleSamples = createSegments();

  /** `segments` of the block, which begin at multiples of their length since the sound's start. */
  push({ channels, length }: Block, segments: Segments): void {
    const parts = this.#blockLength < SEGMENT_SAMPLES ? this.#cutSamples(channels, length) : segments;
    for (let first = 0, start = 0; first < parts.count;) {
      const border = start + this.#blockLength - this.#filled;
      let last = first;
      while (last + 1 < parts.count && parts.ends[last + 1]! <= border) last++;
      const end = parts.ends[last]!;
      append(this.#current, this.#measure(channels, parts, first, last, this.#count - start));
      this.#filled += end - start;
      this.#count += end - start;
      [first, start] = [last + 1, end];
      if (this.#filled === this.#blockLength) this.#finishBlock();
    }
  }

  /** Returns the highest magnitude, 0..1, of each of `count` slices, or of every sample if there are fewer. Slice i begins at sample `floor(i * samples / count)`. */
  slices(count: number): number[] {
    const slices = Math.min(count, MAX_SLICES, this.#count);
    const border = (slice: number): number => Math.floor((slice * this.#count) / slices);
    return Array.from({ length: slices }, (_, slice) => this.#highest(border(slice), border(slice + 1)) / LEVELS);
  }

  #cutSamples(channels: readonly Float32Array[], length: number): Segments {
    this.#singleSamples.count = 0;
    for (let i = 0; i < length; i++) addSegment(this.#singleSamples, i + 1, magnitudeAt(channels, i));
    return this.#singleSamples;
  }

  /** Returns the envelope of the segments `first` to `last`. It reads only samples of segments that add to it. `offset` is added to positions. */
  #measure(channels: readonly Float32Array[], { ends, magnitudes }: Segments, first: number, last: number, offset: number): Envelope {
    let highest = 0;
    for (let segment = first; segment <= last; segment++) if (magnitudes[segment]! > highest) highest = magnitudes[segment]!;
    const top = toLevel(highest);
    const collect = (from: number, step: 1 | -1, above: number): number[] => {
      const entries: number[] = [];
      let threshold = nextLevel(above);
      for (let segment = from, reached = above; reached < top && segment >= first && segment <= last; segment += step) {
        if (magnitudes[segment]! < threshold) continue;
        const [start, end] = [segment === 0 ? 0 : ends[segment - 1]!, ends[segment]!];
        for (let i = step === 1 ? start : end - 1; reached < top && i >= start && i < end; i += step) {
          const magnitude = magnitudeAt(channels, i);
          if (magnitude < threshold) continue;
          reached = toLevel(magnitude);
          threshold = nextLevel(reached);
          entries.push((offset + i) * ENTRY + reached);
        }
      }
      return entries;
    };
    // A part that is no louder than what its block has already adds nothing from the left.
    return { rising: collect(first, 1, highestOf(this.#current)), falling: collect(last, -1, 0).toReversed() };
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

/** Returns the highest magnitude over all channels of a sample. */
function magnitudeAt(channels: readonly Float32Array[], i: number): number {
  let highest = 0;
  for (const samples of channels) {
    const magnitude = Math.abs(samples[i]!);
    if (magnitude > highest) highest = magnitude;
  }
  return highest;
}
