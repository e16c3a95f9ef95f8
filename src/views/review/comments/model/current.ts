/** Which comment belongs to what is heard. */
import type { TimedItem } from "./placing.ts";

/** For so long a comment at a point belongs to what is heard, in milliseconds, unless the next one begins. */
export const POINT_DURATION_MS = 5_000;
/** A seek to a comment may land a little before it. */
const SEEK_TOLERANCE_MS = 20;

/** The one that began last of those that go on; null where none does. `items` in time order. */
export function findCurrent<T extends TimedItem>(items: readonly T[], positionMs: number): T | null {
  const isActive = ({ startMs, endMs }: TimedItem) =>
    startMs !== null && startMs <= positionMs + SEEK_TOLERANCE_MS && positionMs < (endMs ?? startMs + POINT_DURATION_MS);
  return items.findLast(isActive) ?? null;
}

/** While it plays, going back twice within this time goes back two comments, in milliseconds. */
const DOUBLE_BACK_MS = 1_500;

/** The next place of a comment after (or before) a position, for going from one to the other. */
export function adjacentStart(items: readonly TimedItem[], positionMs: number, step: 1 | -1, playing = false): number | null {
  const starts = items.flatMap(({ startMs }) => startMs ?? []);
  if (step > 0) return starts.find((startMs) => startMs > positionMs + SEEK_TOLERANCE_MS) ?? null;
  const previous = starts.findLast((startMs) => startMs < positionMs - SEEK_TOLERANCE_MS) ?? null;
  if (!playing || previous === null || positionMs - previous >= DOUBLE_BACK_MS) return previous;
  return starts.findLast((startMs) => startMs < previous) ?? previous;
}
