/** Finds the comment that belongs to the playback position. */
import type { TimedItem } from "./placing.ts";

/** Milliseconds for which a point comment stays current, unless another comment begins. */
export const POINT_DURATION_MS = 5_000;
/** Milliseconds by which a seek to a comment may land before it. */
const SEEK_TOLERANCE_MS = 20;

/** Returns the active item that began last, or null if none is active. `items` must be sorted by time. */
export function findCurrent<T extends TimedItem>(items: readonly T[], positionMs: number): T | null {
  const isActive = ({ startMs, endMs }: TimedItem) =>
    startMs !== null && startMs <= positionMs + SEEK_TOLERANCE_MS && positionMs < (endMs ?? startMs + POINT_DURATION_MS);
  return items.findLast(isActive) ?? null;
}

/** During playback, going back within this many milliseconds of a comment's start goes to the comment before it. */
const DOUBLE_BACK_MS = 1_500;

/** Returns the start of the next (or previous) comment relative to a position, or null if there is none. */
export function adjacentStart(items: readonly TimedItem[], positionMs: number, step: 1 | -1, playing = false): number | null {
  const starts = items.flatMap(({ startMs }) => startMs ?? []);
  if (step > 0) return starts.find((startMs) => startMs > positionMs + SEEK_TOLERANCE_MS) ?? null;
  const previous = starts.findLast((startMs) => startMs < positionMs - SEEK_TOLERANCE_MS) ?? null;
  if (!playing || previous === null || positionMs - previous >= DOUBLE_BACK_MS) return previous;
  return starts.findLast((startMs) => startMs < previous) ?? previous;
}
