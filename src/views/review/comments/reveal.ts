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

/** A row is about to go: the focus that is in it goes on to its neighbor, of a reply to its comment. */
export function leaveRow(key: string, isReply: boolean): void {
  const inside = document.activeElement?.closest("article") ?? null;
  if (!inside || (!isReply && inside.id !== rowId(key))) return;
  if (isReply) return inside.focus();
  const item = inside.closest("li");
  const neighbor = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector("article");
  (neighbor ?? document.getElementById("comments"))?.focus();
}
