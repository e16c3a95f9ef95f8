/** Which comment belongs to what is heard. */
import type { Placeable } from "./placing.ts";

/** For so long a comment at a point belongs to what is heard, in milliseconds, unless the next one begins. */
export const POINT_LASTS = 5_000;
/** A seek to a comment may land a little before it. */
const EARLY = 20;

/** The one that began last of those that go on; null where none does. `notes` in time order. */
export function currentAt<T extends Placeable>(notes: readonly T[], positionMs: number): T | null {
  const goesOn = ({ at, end }: Placeable) => at !== null && at <= positionMs + EARLY && positionMs < (end ?? at + POINT_LASTS);
  return notes.findLast(goesOn) ?? null;
}

/** While it plays, going back twice within this time goes back two comments, in milliseconds. */
const GRACE = 1_500;

/** The next place of a comment after (or before) a position, for going from one to the other. */
export function neighborOf(notes: readonly Placeable[], positionMs: number, step: 1 | -1, playing = false): number | null {
  const places = notes.flatMap(({ at }) => at ?? []);
  if (step > 0) return places.find((at) => at > positionMs + EARLY) ?? null;
  const last = places.findLast((at) => at < positionMs - EARLY) ?? null;
  if (!playing || last === null || positionMs - last >= GRACE) return last;
  return places.findLast((at) => at < last) ?? last;
}
