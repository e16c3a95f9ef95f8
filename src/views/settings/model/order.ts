/** Moving one of a list to another place. */

/** The list with what is at `from` at `to`; places beyond its ends are its ends. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  if (item === undefined) return next;
  next.splice(Math.max(0, Math.min(to, next.length)), 0, item);
  return next;
}

/** Where something lands that was taken at `from` and is held `pixels` below its place, among rows of one height. */
export function dropIndex(from: number, pixels: number, rowHeight: number, count: number): number {
  const to = from + (rowHeight > 0 ? Math.round(pixels / rowHeight) : 0);
  return Math.max(0, Math.min(count - 1, to));
}

/** Where a key moves it to; null for other keys. */
export function indexForKey(key: string, from: number, count: number): number | null {
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}

/** A row that is held: `offset` pixels from its place, over `to`. */
export interface DragState {
  id: number;
  from: number;
  to: number;
  offset: number;
  /** Of one row. */
  height: number;
}

/** By how many pixels the row at `index` makes room for the held one. */
export function rowOffset(index: number, { from, to, height }: DragState): number {
  if (index > from && index <= to) return -height;
  return index < from && index >= to ? height : 0;
}
