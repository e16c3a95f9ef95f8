/** Decides when and how far the comment list may scroll by itself, so that it never moves while the user interacts with it. */

/** Milliseconds after a manual scroll during which the list does not auto-scroll. */
export const SCROLL_REST_MS = 6_000;

export interface ListInteraction {
  /** True while a pointer is over the list or the focus is inside. */
  isInside: boolean;
  /** Epoch milliseconds; null if never. */
  scrolledAt: number | null;
}

export const canAutoScroll = ({ isInside, scrolledAt }: ListInteraction, now: number): boolean =>
  !isInside && (scrolledAt === null || now - scrolledAt >= SCROLL_REST_MS);

interface Edges {
  top: number;
  bottom: number;
}

/** Returns the scroll distance that brings a row into view with a margin; 0 if it is already in view. */
export function scrollOffset(row: Edges, view: Edges, margin: number): number {
  if (row.top - margin < view.top) return row.top - margin - view.top;
  // A row taller than the view aligns to its top.
  if (row.bottom + margin > view.bottom) return Math.min(row.bottom + margin - view.bottom, row.top - margin - view.top);
  return 0;
}
