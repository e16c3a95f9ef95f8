/** Rows of the list by their comment's key. */

export const commentRowId = (key: string): string => `comment-${key}`;

/** Frames to wait for a row that is not drawn yet. */
const MAX_FRAMES = 20;

/** Brings a comment into view and gives it the focus. */
export function revealComment(key: string, framesLeft = MAX_FRAMES): void {
  const row = document.getElementById(commentRowId(key));
  if (!row) {
    if (framesLeft > 0) requestAnimationFrame(() => revealComment(key, framesLeft - 1));
    return;
  }
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** A row is about to go: the focus that is in it goes on to its neighbor, of a reply to its comment. */
export function moveFocusFromRow(key: string, isReply: boolean): void {
  const focusedRow = document.activeElement?.closest("article") ?? null;
  if (!focusedRow || (!isReply && focusedRow.id !== commentRowId(key))) return;
  if (isReply) return focusedRow.focus();
  const item = focusedRow.closest("li");
  const neighbor = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector("article");
  (neighbor ?? document.getElementById("comments"))?.focus();
}
