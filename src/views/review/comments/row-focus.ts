/** Locates, scrolls to, and focuses comment rows by comment key. */

export const commentRowId = (key: string): string => `comment-${key}`;

export function revealRow(key: string): void {
  const row = document.getElementById(commentRowId(key));
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
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
