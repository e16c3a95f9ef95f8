import { useLayoutEffect, useRef, useState } from "react";
import type { Row } from "./rows.ts";

const PLACEHOLDER_PREFIX = "placeholder:";

/** Passes row changes to the virtual list in commits that keep its position; `shift` is true only in a commit that changes the start. */
export function useVirtualizerShift(nextRows: readonly Row[]): { rows: readonly Row[]; shift: boolean } {
  const currentRows = useRef(nextRows);
  const [, rerender] = useState(0);
  const plan = planCommit(currentRows.current, insertPlaceholders(currentRows.current, nextRows, createRowPlaceholder));
  useLayoutEffect(() => {
    currentRows.current = plan.rows;
    if (!plan.isComplete) rerender((count) => count + 1);
  }, [plan.rows, plan.isComplete]);
  return plan;
}

const createRowPlaceholder = (key: string): Row => ({ kind: "placeholder", key });

/** One commit of a row change: at the start or elsewhere, not both, because the virtual list stores sizes by index from one end at a time. */
interface CommitPlan<R> {
  rows: readonly R[];
  /** True only if rows were added or removed at the start and nowhere else. */
  shift: boolean;
  /** False if another commit must follow at once. */
  isComplete: boolean;
}

/** Plans the next commit from the current rows toward the next rows. */
export function planCommit<R extends { key: string }>(currentRows: readonly R[], nextRows: readonly R[]): CommitPlan<R> {
  if (currentRows === nextRows) return { rows: nextRows, shift: false, isComplete: true };
  const firstCurrent = currentRows[0];
  const firstNext = nextRows[0];
  if (!firstCurrent || !firstNext || firstCurrent.key === firstNext.key) return { rows: nextRows, shift: false, isComplete: true };

  const addedCount = nextRows.findIndex(({ key }) => key === firstCurrent.key);
  const removedCount = addedCount > 0 ? 0 : currentRows.findIndex(({ key }) => key === firstNext.key);
  if (addedCount <= 0 && removedCount <= 0) return { rows: nextRows, shift: false, isComplete: true };

  const delta = addedCount > 0 ? addedCount : -removedCount;
  if (nextRows.length - currentRows.length === delta) return { rows: nextRows, shift: true, isComplete: true };
  // The end changes too, so commit the start alone first, over the current rows.
  const rows = addedCount > 0 ? [...nextRows.slice(0, addedCount), ...currentRows] : currentRows.slice(removedCount);
  return { rows, shift: true, isComplete: false };
}

/**
 * Returns the next rows with a placeholder for each removed row between two that stay: the list identifies rows by index, so a missing index would
 * move the view. `createPlaceholder` creates the placeholder for a key.
 */
export function insertPlaceholders<R extends { key: string }>(
  currentRows: readonly R[],
  nextRows: readonly R[],
  createPlaceholder: (key: string) => R,
): readonly R[] {
  if (currentRows === nextRows) return nextRows;
  // Mostly rows are only added at one end, which is found without an index of all rows.
  const startsAt = (start: number) => currentRows.every(({ key }, index) => nextRows[start + index]?.key === key);
  if (startsAt(nextRows.length - currentRows.length) || startsAt(0)) return nextRows;
  const indexByKey = new Map(nextRows.map(({ key }, index) => [key, index]));
  if (currentRows.every(({ key }) => indexByKey.has(key))) return nextRows;
  const placeholdersAfter = new Map<number, R[]>();
  let lastIndex = -1;
  let placeholders: R[] = [];
  for (const row of currentRows) {
    const nextIndex = indexByKey.get(row.key);
    if (nextIndex === undefined) placeholders.push(row.key.startsWith(PLACEHOLDER_PREFIX) ? row : createPlaceholder(`${PLACEHOLDER_PREFIX}${row.key}`));
    else if (nextIndex > lastIndex) {
      if (lastIndex >= 0 && placeholders.length > 0) placeholdersAfter.set(lastIndex, placeholders);
      placeholders = [];
      lastIndex = nextIndex;
    }
  }
  return placeholdersAfter.size === 0 ? nextRows : nextRows.flatMap((row, index) => [row, ...(placeholdersAfter.get(index) ?? [])]);
}
