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

type LoadRange = (url: string, from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>;

/** Of the `.dat` layout, version 2. */
const HEADER_BYTES = 24;
export const TILE_POINTS = 4_096;
const MAX_CACHE_BYTES = 12 << 20;
/** Tiles of one request. */
const MAX_TILES_PER_REQUEST = 8;
/** Before a part that could not be had is asked for again. */
const RETRY_DELAY_MS = 4_000;

/** A number, not a word: it is made for every column of every picture. No level has a million tiles. */
const tileKey = (level: number, index: number) => level * 1_000_000 + index;

interface TileRequest {
  level: number;
  from: number;
  to: number;
  controller: AbortController;
}

export class PeakTiles {
  readonly pyramid: Pyramid;
  readonly #load: LoadRange;
  readonly #onNews: () => void;
  /** In the order of their last use. */
  readonly #tiles = new Map<number, Int8Array>();
  readonly #asked = new Set<TileRequest>();
  readonly #failedAt = new Map<number, number>();
  #bytes = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** `onChange` calls back when there is more to draw by. */
  constructor(pyramid: Pyramid, load: LoadRange, onChange: () => void) {
    this.pyramid = pyramid;
    this.#load = load;
    this.#onNews = onChange;
  }

  /** The tile's values, lowest and highest per channel of each point. */
  tile(level: number, index: number): Int8Array | undefined {
    return this.#tiles.get(tileKey(level, index));
  }

  /** What is in sight now: points `from` to `to` of a level, with some room on both sides. What is asked for and not in it is called off. */
  setVisibleRange(level: number, from: number, to: number, now = Date.now()): void {
    const { length } = this.pyramid.levels[level]!;
    const [first, last] = [Math.max(0, Math.floor(from / TILE_POINTS)), Math.min(Math.ceil(length / TILE_POINTS), Math.ceil(to / TILE_POINTS))];
    for (const request of this.#asked) if (request.level !== level || request.to <= first || request.from >= last) this.#callOff(request);
    const isMissing = (index: number) => {
      const key = tileKey(level, index);
      const cached = this.#tiles.get(key);
      if (cached) {
        this.#tiles.delete(key);
        this.#tiles.set(key, cached);
        return false;
      }
      if (now - (this.#failedAt.get(key) ?? -Infinity) < RETRY_DELAY_MS) return false;
      return ![...this.#asked].some((request) => request.level === level && index >= request.from && index < request.to);
    };
    for (let index = first; index < last; index++) {
      if (!isMissing(index)) continue;
      let end = index + 1;
      while (end < last && end - index < MAX_TILES_PER_REQUEST && isMissing(end)) end++;
      void this.#ask(level, index, end);
      index = end - 1;
    }
  }

  /** Nothing is wanted any more. */
  dispose(): void {
    for (const request of this.#asked) this.#callOff(request);
    clearTimeout(this.#again);
    this.#tiles.clear();
    this.#bytes = 0;
  }

  #callOff(request: TileRequest): void {
    this.#asked.delete(request);
    request.controller.abort();
  }

  async #ask(level: number, from: number, to: number): Promise<void> {
    const request: TileRequest = { level, from, to, controller: new AbortController() };
    this.#asked.add(request);
    const { channels, levels } = this.pyramid;
    const { url, length } = levels[level]!;
    const bytesPerPoint = channels * 2;
    const [first, last] = [from * TILE_POINTS, Math.min(length, to * TILE_POINTS)];
    try {
      const bytes = await this.#load(url, HEADER_BYTES + first * bytesPerPoint, HEADER_BYTES + last * bytesPerPoint, request.controller.signal);
      if (!this.#asked.has(request)) return;
      if (bytes.byteLength < (last - first) * bytesPerPoint) throw new RangeError("fewer bytes than the level has");
      for (let index = from; index < to; index++) {
        const start = (index - from) * TILE_POINTS * bytesPerPoint;
        this.#keep(tileKey(level, index), new Int8Array(bytes, start, Math.min(TILE_POINTS * bytesPerPoint, (last - index * TILE_POINTS) * bytesPerPoint)));
      }
    } catch {
      // Whoever called it off has said why. Else what is there already is drawn, and a later look asks again.
      if (!this.#asked.has(request)) return;
      for (let index = from; index < to; index++) this.#failedAt.set(tileKey(level, index), Date.now());
      clearTimeout(this.#again);
      this.#again = setTimeout(this.#onNews, RETRY_DELAY_MS);
    }
    if (this.#asked.delete(request)) this.#onNews();
  }

  #keep(key: number, tile: Int8Array): void {
    this.#failedAt.delete(key);
    // A copy, or one small tile would hold all bytes of its request.
    this.#tiles.set(key, tile.slice());
    this.#bytes += tile.byteLength;
    for (const [oldest, values] of this.#tiles) {
      if (this.#bytes <= MAX_CACHE_BYTES || oldest === key) break;
      this.#tiles.delete(oldest);
      this.#bytes -= values.byteLength;
    }
  }
}
