/** Rows of the list by their comment's key. */

export const rowId = (key: string): string => `comment-${key}`;

/** Frames to wait for a row that is not drawn yet. */
const PATIENCE = 20;

/** Brings a comment into view and gives it the focus. */
export function reveal(key: string, patience = PATIENCE): void {
  const row = document.getElementById(rowId(key));
  if (!row) {
    if (patience > 0) requestAnimationFrame(() => reveal(key, patience - 1));
    return;
  }
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}
