/** Lays out the comments of the whole file along the overview. Neighbors whose ticks would overlap share one tick with their number. */
import type { TimedItem } from "./marker-layout.ts";

/** CSS pixels between the centers of two ticks, so that a number fits. */
export const TICK_SPACING_PX = 16;

export interface Tick<T> {
  key: string;
  /** CSS pixels from the left edge to the center. */
  x: number;
  items: readonly T[];
}

/** `width` is that of the overview in CSS pixels. Items without a position, or after the end of this version, have no tick. */
export function layOutTicks<T extends TimedItem>(items: readonly T[], durationSeconds: number, width: number): Tick<T>[] {
  if (!(durationSeconds > 0) || !(width > 0)) return [];
  const ticks: (Tick<T> & { items: T[] })[] = [];
  const timed = items.filter(({ startMs }) => startMs !== null && startMs <= durationSeconds * 1_000).toSorted((a, b) => a.startMs! - b.startMs!);
  for (const item of timed) {
    const edge = TICK_SPACING_PX / 2;
    const x = Math.min(Math.max(edge, (item.startMs! / 1_000 / durationSeconds) * width), Math.max(edge, width - edge));
    const previous = ticks.at(-1);
    if (previous && x - previous.x < TICK_SPACING_PX) previous.items.push(item);
    else ticks.push({ key: item.key, x, items: [item] });
  }
  return ticks;
}
