/** The service's peaks in tiles, fetched by range as they come into sight. What is kept is bounded; what is left before it came is called off. */

export interface PeakLevel {
  /** Samples that a point stands for. */
  samplesPerPoint: number;
  /** Points. */
  length: number;
  url: string;
}
/** Levels from fine to coarse. */
export interface Pyramid {
  channels: number;
  sampleRate: number;
  levels: readonly PeakLevel[];
}

type Load = (url: string, from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>;

/** Of the `.dat` layout, version 2. */
const HEADER_BYTES = 24;
export const TILE_POINTS = 4_096;
const MOST_BYTES = 12 << 20;
/** Tiles of one request. */
const MOST_AT_ONCE = 8;
/** Before a part that could not be had is asked for again. */
const AGAIN_AFTER_MS = 4_000;

/** A number, not a word: it is made for every column of every picture. No level has a million tiles. */
const keyOf = (level: number, index: number) => level * 1_000_000 + index;

interface Asked {
  level: number;
  from: number;
  to: number;
  stop: AbortController;
}

export class PeakTiles {
  readonly pyramid: Pyramid;
  readonly #load: Load;
  readonly #onNews: () => void;
  /** In the order of their last use. */
  readonly #tiles = new Map<number, Int8Array>();
  readonly #asked = new Set<Asked>();
  readonly #failedAt = new Map<number, number>();
  #bytes = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** `onNews` calls back when there is more to draw by. */
  constructor(pyramid: Pyramid, load: Load, onNews: () => void) {
    this.pyramid = pyramid;
    this.#load = load;
    this.#onNews = onNews;
  }

  /** The tile's values, lowest and highest per channel of each point. */
  tile(level: number, index: number): Int8Array | undefined {
    return this.#tiles.get(keyOf(level, index));
  }

  /** What is in sight now: points `from` to `to` of a level, with some room on both sides. What is asked for and not in it is called off. */
  want(level: number, from: number, to: number, now = Date.now()): void {
    const { length } = this.pyramid.levels[level]!;
    const [first, last] = [Math.max(0, Math.floor(from / TILE_POINTS)), Math.min(Math.ceil(length / TILE_POINTS), Math.ceil(to / TILE_POINTS))];
    for (const asked of this.#asked) if (asked.level !== level || asked.to <= first || asked.from >= last) this.#callOff(asked);
    const missing = (index: number) => {
      const key = keyOf(level, index);
      const known = this.#tiles.get(key);
      if (known) {
        this.#tiles.delete(key);
        this.#tiles.set(key, known);
        return false;
      }
      if (now - (this.#failedAt.get(key) ?? -Infinity) < AGAIN_AFTER_MS) return false;
      return ![...this.#asked].some((asked) => asked.level === level && index >= asked.from && index < asked.to);
    };
    for (let index = first; index < last; index++) {
      if (!missing(index)) continue;
      let end = index + 1;
      while (end < last && end - index < MOST_AT_ONCE && missing(end)) end++;
      void this.#ask(level, index, end);
      index = end - 1;
    }
  }

  /** Nothing is wanted any more. */
  end(): void {
    for (const asked of this.#asked) this.#callOff(asked);
    clearTimeout(this.#again);
    this.#tiles.clear();
    this.#bytes = 0;
  }

  #callOff(asked: Asked): void {
    this.#asked.delete(asked);
    asked.stop.abort();
  }

  async #ask(level: number, from: number, to: number): Promise<void> {
    const asked: Asked = { level, from, to, stop: new AbortController() };
    this.#asked.add(asked);
    const { channels, levels } = this.pyramid;
    const { url, length } = levels[level]!;
    const row = channels * 2;
    const [first, last] = [from * TILE_POINTS, Math.min(length, to * TILE_POINTS)];
    try {
      const bytes = await this.#load(url, HEADER_BYTES + first * row, HEADER_BYTES + last * row, asked.stop.signal);
      if (!this.#asked.has(asked)) return;
      if (bytes.byteLength < (last - first) * row) throw new RangeError("fewer bytes than the level has");
      for (let index = from; index < to; index++) {
        const start = (index - from) * TILE_POINTS * row;
        this.#keep(keyOf(level, index), new Int8Array(bytes, start, Math.min(TILE_POINTS * row, (last - index * TILE_POINTS) * row)));
      }
    } catch {
      // Whoever called it off has said why. Else what is there already is drawn, and a later look asks again.
      if (!this.#asked.has(asked)) return;
      for (let index = from; index < to; index++) this.#failedAt.set(keyOf(level, index), Date.now());
      clearTimeout(this.#again);
      this.#again = setTimeout(this.#onNews, AGAIN_AFTER_MS);
    }
    if (this.#asked.delete(asked)) this.#onNews();
  }

  #keep(key: number, tile: Int8Array): void {
    this.#failedAt.delete(key);
    // A copy, or one small tile would hold all bytes of its request.
    this.#tiles.set(key, tile.slice());
    this.#bytes += tile.byteLength;
    for (const [oldest, values] of this.#tiles) {
      if (this.#bytes <= MOST_BYTES || oldest === key) break;
      this.#tiles.delete(oldest);
      this.#bytes -= values.byteLength;
    }
  }
}
