/** Locates, scrolls to, and focuses comment rows by comment key. */

export const commentRowId = (key: string): string => `comment-${key}`;

/** Maximum number of frames to wait for a row that is not rendered yet. */
const MAX_FRAMES = 20;

/** Scrolls a comment into view and focuses it. */
export function revealComment(key: string, framesLeft = MAX_FRAMES): void {
  const row = document.getElementById(commentRowId(key));
  if (!row) {
    if (framesLeft > 0) requestAnimationFrame(() => revealComment(key, framesLeft - 1));
    return;
  }
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** Moves the focus out of a row that is about to disappear: to the neighboring row, or from a reply to its comment. */
export function moveFocusFromRow(key: string, isReply: boolean): void {
  const focusedRow = document.activeElement?.closest("article") ?? null;
  if (!focusedRow || (!isReply && focusedRow.id !== commentRowId(key))) return;
  if (isReply) return focusedRow.focus();
  const item = focusedRow.closest("li");
  const neighbor = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector("article");
  (neighbor ?? document.getElementById("comments"))?.focus();
}
