/** Fetches the service's peaks in tiles as they become visible, by byte range and with a bounded cache; cancels requests for hidden tiles. */
import type { Api } from "../../api/http.ts";
import { fetchRange } from "../../api/files.ts";

interface PeakLevel {
  /** Audio samples per point. */
  samplesPerPoint: number;
  /** Number of points. */
  length: number;
  url: string;
}
/** Levels of peaks, from fine to coarse. */
export interface Pyramid {
  channels: number;
  sampleRate: number;
  levels: readonly PeakLevel[];
}

type LoadRange = (url: string, from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>;

/** Header size of the `.dat` format, version 2. */
const HEADER_BYTES = 24;
export const TILE_POINTS = 4_096;
const MAX_CACHE_BYTES = 12 << 20;
/** Tiles of one request. */
const MAX_TILES_PER_REQUEST = 8;
/** Delay before a failed tile is requested again. */
const RETRY_DELAY_MS = 4_000;

/** The key is a number, which is cheap to compute for every column of every frame. No level has a million tiles. */
const tileKey = (level: number, index: number) => level * 1_000_000 + index;

interface TileRequest {
  level: number;
  from: number;
  to: number;
  controller: AbortController;
}

export type PeakTiles = ReturnType<typeof createPeakTiles>;

/** `onChange` is called when more can be drawn. */
export function createPeakTiles(pyramid: Pyramid, load: LoadRange, onChange: () => void) {
  /** Ordered from least to most recently used. */
  const tiles = new Map<number, Int8Array>();
  const requests = new Set<TileRequest>();
  const failedAt = new Map<number, number>();
  let cachedBytes = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  function cancelRequest(request: TileRequest): void {
    requests.delete(request);
    request.controller.abort();
  }

  async function requestTiles(level: number, from: number, to: number): Promise<void> {
    const request: TileRequest = { level, from, to, controller: new AbortController() };
    requests.add(request);
    const { channels, levels } = pyramid;
    const { url, length } = levels[level]!;
    const bytesPerPoint = channels * 2;
    const [first, last] = [from * TILE_POINTS, Math.min(length, to * TILE_POINTS)];
    try {
      const bytes = await load(url, HEADER_BYTES + first * bytesPerPoint, HEADER_BYTES + last * bytesPerPoint, request.controller.signal);
      if (!requests.has(request)) return;
      if (bytes.byteLength < (last - first) * bytesPerPoint) throw new RangeError("fewer bytes than the level has");
      for (let index = from; index < to; index++) {
        const start = (index - from) * TILE_POINTS * bytesPerPoint;
        store(tileKey(level, index), new Int8Array(bytes, start, Math.min(TILE_POINTS * bytesPerPoint, (last - index * TILE_POINTS) * bytesPerPoint)));
      }
    } catch {
      // A canceled request needs no retry. After a failure the available tiles are drawn, and a later call requests the missing ones again.
      if (!requests.has(request)) return;
      for (let index = from; index < to; index++) failedAt.set(tileKey(level, index), Date.now());
      clearTimeout(retryTimer);
      retryTimer = setTimeout(onChange, RETRY_DELAY_MS);
    }
    if (requests.delete(request)) onChange();
  }

  function store(key: number, tile: Int8Array): void {
    failedAt.delete(key);
    // Copy the values, because a view would keep all bytes of its request in memory.
    tiles.set(key, tile.slice());
    cachedBytes += tile.byteLength;
    for (const [oldest, values] of tiles) {
      if (cachedBytes <= MAX_CACHE_BYTES || oldest === key) break;
      tiles.delete(oldest);
      cachedBytes -= values.byteLength;
    }
  }

  return {
    pyramid,
    /** Returns a tile's values: minimum and maximum per channel of each point. */
    tile: (level: number, index: number): Int8Array | undefined => tiles.get(tileKey(level, index)),
    /** Requests the missing tiles for points `from` to `to` of a level, the visible range with margins, and cancels all other requests. */
    setVisibleRange(level: number, from: number, to: number, now = Date.now()): void {
      const { length } = pyramid.levels[level]!;
      const [first, last] = [Math.max(0, Math.floor(from / TILE_POINTS)), Math.min(Math.ceil(length / TILE_POINTS), Math.ceil(to / TILE_POINTS))];
      for (const request of requests) if (request.level !== level || request.to <= first || request.from >= last) cancelRequest(request);
      const isMissing = (index: number) => {
        const key = tileKey(level, index);
        const cached = tiles.get(key);
        if (cached) {
          tiles.delete(key);
          tiles.set(key, cached);
          return false;
        }
        if (now - (failedAt.get(key) ?? -Infinity) < RETRY_DELAY_MS) return false;
        return ![...requests].some((request) => request.level === level && index >= request.from && index < request.to);
      };
      for (let index = first; index < last; index++) {
        if (!isMissing(index)) continue;
        let end = index + 1;
        while (end < last && end - index < MAX_TILES_PER_REQUEST && isMissing(end)) end++;
        void requestTiles(level, index, end);
        index = end - 1;
      }
    },
    /** Cancels all requests and clears the cache. */
    dispose(): void {
      for (const request of requests) cancelRequest(request);
      clearTimeout(retryTimer);
      tiles.clear();
      cachedBytes = 0;
    },
  };
}

/** Creates tiles of the service's peaks; `onChange` is called when more can be drawn. */
export const createServiceTiles = (api: Api, pyramid: Pyramid, onChange: () => void): PeakTiles =>
  createPeakTiles(pyramid, (url, from, to, signal) => fetchRange(api, url, from, to, { signal }), onChange);
