/** Tracks files whose pending status change is shown inline with an undo button and needs no card at the page's edge. */
import { useLayoutEffect, useSyncExternalStore } from "react";

const inlineCounts = new Map<number, number>();
const listeners = new Set<() => void>();
let version = 0;

function updateCount(fileId: number, by: 1 | -1): void {
  const next = (inlineCounts.get(fileId) ?? 0) + by;
  if (next === 0) inlineCounts.delete(fileId);
  else inlineCounts.set(fileId, next);
  version += 1;
  for (const listener of listeners) listener();
}

export function useInlineStatus(fileId: number, shown: boolean): void {
  useLayoutEffect(() => {
    if (!shown) return;
    updateCount(fileId, 1);
    return () => updateCount(fileId, -1);
  }, [fileId, shown]);
}

/** Returns a function that checks whether a file's change is shown inline now. */
export function useHasInlineStatus(): (fileId: number) => boolean {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  return (fileId) => inlineCounts.has(fileId);
}
