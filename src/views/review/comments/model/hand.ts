/** Whether the list may move by itself: never under the reader's hand. */

/** After a scroll by hand the list rests for so long, in milliseconds. */
export const SCROLL_REST_MS = 6_000;

export interface ListInteraction {
  /** A pointer is over the list, or the focus is in it. */
  isInside: boolean;
  /** Epoch milliseconds; null: never. */
  scrolledAt: number | null;
}

export const canAutoScroll = ({ isInside, scrolledAt }: ListInteraction, now: number): boolean =>
  !isInside && (scrolledAt === null || now - scrolledAt >= SCROLL_REST_MS);

interface Edges {
  top: number;
  bottom: number;
}

/** By how much a list is scrolled so that a row is in it, with some room around; 0: it is already. */
export function scrollOffset(row: Edges, view: Edges, margin: number): number {
  if (row.top - margin < view.top) return row.top - margin - view.top;
  // One that is taller than the view begins at its top.
  if (row.bottom + margin > view.bottom) return Math.min(row.bottom + margin - view.bottom, row.top - margin - view.top);
  return 0;
}
