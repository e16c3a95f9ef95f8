/** Where markers stand in the lane. Those that would lie on each other are one stack, so that each can be told and reached. */

export interface Placeable {
  key: string;
  /** Milliseconds; null: it stands nowhere in the lane. */
  at: number | null;
  end: number | null;
}

export interface Stack<T> {
  /** Of the first in it; it stands where that one stands. */
  key: string;
  /** Pixels from the beginning of the sound to the middle of the marker. */
  x: number;
  notes: readonly T[];
}

export interface Bar<T> {
  note: T;
  /** Pixels from the beginning of the sound. */
  x: number;
  width: number;
}

/** Across a marker, in pixels. */
export const MARKER = 24;

interface Placed<T> {
  stacks: Stack<T>[];
  /** The longest first: a short one lies on a long one and can be pressed. */
  bars: Bar<T>[];
}

/**
 * Computed over the whole sound and not over what the lane shows of it, so that no stack changes while the lane is moved.
 * `scale`: pixels per second; `seconds`: how long the sound is. At its ends markers stand inside.
 */
export function placed<T extends Placeable>(notes: readonly T[], scale: number, seconds: number): Placed<T> {
  const last = seconds > 0 ? Math.max(MARKER / 2, seconds * scale - MARKER / 2) : Number.POSITIVE_INFINITY;
  const within = (x: number) => Math.min(last, Math.max(MARKER / 2, x));
  const bars: Bar<T>[] = [];
  const markers: { x: number; note: T }[] = [];
  for (const note of notes) {
    if (note.at === null || !(scale > 0)) continue;
    const x = (note.at / 1_000) * scale;
    if (note.end === null) markers.push({ x: within(x), note });
    else {
      bars.push({ note, x, width: Math.max(MARKER, ((note.end - note.at) / 1_000) * scale) });
      markers.push({ x: within(x + MARKER / 2), note });
    }
  }
  const stacks: (Stack<T> & { notes: T[] })[] = [];
  for (const { x, note } of markers.toSorted((a, b) => a.x - b.x)) {
    const before = stacks.at(-1);
    if (before && x - before.x < MARKER) before.notes.push(note);
    else stacks.push({ key: note.key, x, notes: [note] });
  }
  return { stacks, bars: bars.toSorted((a, b) => b.width - a.width) };
}

/** What of it is to be seen between two places of the sound, in pixels. */
export function inSight<T>({ stacks, bars }: Placed<T>, from: number, to: number): Placed<T> {
  return {
    stacks: stacks.filter(({ x }) => x + MARKER / 2 > from && x - MARKER / 2 < to),
    bars: bars.filter(({ x, width }) => x + width > from && x < to),
  };
}
