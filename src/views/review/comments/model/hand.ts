/** Whether the list may move by itself: never under the reader's hand. */

/** After a scroll by hand the list rests for so long, in milliseconds. */
export const REST = 6_000;

export interface Hand {
  /** A pointer is over the list, or the focus is in it. */
  isInside: boolean;
  /** Epoch milliseconds; null: never. */
  scrolledAt: number | null;
}

export const mayFollow = ({ isInside, scrolledAt }: Hand, now: number): boolean => !isInside && (scrolledAt === null || now - scrolledAt >= REST);

interface Edges {
  top: number;
  bottom: number;
}

/** By how much a list is scrolled so that a row is in it, with some room around; 0: it is already. */
export function shiftFor(row: Edges, view: Edges, room: number): number {
  if (row.top - room < view.top) return row.top - room - view.top;
  // One that is taller than the view begins at its top.
  if (row.bottom + room > view.bottom) return Math.min(row.bottom + room - view.bottom, row.top - room - view.top);
  return 0;
}
