/** Where markers stand in the lane. Those that would lie on each other are one stack, so that each can be told and reached. */

export interface TimedItem {
  key: string;
  /** Milliseconds; null: it stands nowhere in the lane. */
  startMs: number | null;
  endMs: number | null;
}

export interface MarkerStack<T> {
  /** Of the first in it; it stands where that one stands. */
  key: string;
  /** Pixels from the beginning of the sound to the middle of the marker. */
  x: number;
  items: readonly T[];
}

export interface Bar<T> {
  item: T;
  /** Pixels from the beginning of the sound. */
  x: number;
  width: number;
}

/** Across a marker, in pixels. */
export const MARKER_SIZE_PX = 24;

interface MarkerLayout<T> {
  stacks: MarkerStack<T>[];
  /** The longest first: a short one lies on a long one and can be pressed. */
  bars: Bar<T>[];
}

/**
 * Computed over the whole sound and not over what the lane shows of it, so that no stack changes while the lane is moved.
 * `scale`: pixels per second; `durationSeconds`: how long the sound is. At its ends markers stand inside.
 */
export function layOutMarkers<T extends TimedItem>(items: readonly T[], scale: number, durationSeconds: number): MarkerLayout<T> {
  const maxX = durationSeconds > 0 ? Math.max(MARKER_SIZE_PX / 2, durationSeconds * scale - MARKER_SIZE_PX / 2) : Number.POSITIVE_INFINITY;
  const clampX = (x: number) => Math.min(maxX, Math.max(MARKER_SIZE_PX / 2, x));
  const bars: Bar<T>[] = [];
  const markers: { x: number; item: T }[] = [];
  for (const item of items) {
    if (item.startMs === null || !(scale > 0)) continue;
    const x = (item.startMs / 1_000) * scale;
    if (item.endMs === null) markers.push({ x: clampX(x), item });
    else {
      bars.push({ item, x, width: Math.max(MARKER_SIZE_PX, ((item.endMs - item.startMs) / 1_000) * scale) });
      markers.push({ x: clampX(x + MARKER_SIZE_PX / 2), item });
    }
  }
  const stacks: (MarkerStack<T> & { items: T[] })[] = [];
  for (const { x, item } of markers.toSorted((a, b) => a.x - b.x)) {
    const previous = stacks.at(-1);
    if (previous && x - previous.x < MARKER_SIZE_PX) previous.items.push(item);
    else stacks.push({ key: item.key, x, items: [item] });
  }
  return { stacks, bars: bars.toSorted((a, b) => b.width - a.width) };
}

/** What of it is to be seen between two places of the sound, in pixels. */
export function visibleMarkers<T>({ stacks, bars }: MarkerLayout<T>, from: number, to: number): MarkerLayout<T> {
  return {
    stacks: stacks.filter(({ x }) => x + MARKER_SIZE_PX / 2 > from && x - MARKER_SIZE_PX / 2 < to),
    bars: bars.filter(({ x, width }) => x + width > from && x < to),
  };
}
