/** Lays out comment markers in the timeline. Overlapping markers form one stack, so that each comment stays distinguishable and reachable. */

export interface TimedItem {
  key: string;
  /** Milliseconds; null if the comment has no position. */
  startMs: number | null;
  endMs: number | null;
}

export interface MarkerStack<T> {
  /** Key of the first item, whose position the stack has. */
  key: string;
  /** Pixels from the start of the track to the center of the marker. */
  x: number;
  items: readonly T[];
}

export interface Bar<T> {
  item: T;
  /** Pixels from the start of the track. */
  x: number;
  width: number;
}

/** Marker diameter in pixels. */
export const MARKER_SIZE_PX = 24;

interface MarkerLayout<T> {
  stacks: MarkerStack<T>[];
  /** Sorted by length, longest first, so that a short bar lies on top of a long one and stays clickable. */
  bars: Bar<T>[];
}

/**
 * Computes the layout for the whole track, not only the visible range, so that stacks do not change while the view
 * pans. `scale` is in pixels per second and `durationSeconds` is the track's length. Markers at either end of the
 * track stay inside it.
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

/** Returns the markers and bars between two positions of the track, in pixels. */
export function visibleMarkers<T>({ stacks, bars }: MarkerLayout<T>, from: number, to: number): MarkerLayout<T> {
  return {
    stacks: stacks.filter(({ x }) => x + MARKER_SIZE_PX / 2 > from && x - MARKER_SIZE_PX / 2 < to),
    bars: bars.filter(({ x, width }) => x + width > from && x < to),
  };
}
