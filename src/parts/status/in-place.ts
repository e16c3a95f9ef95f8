/** Files whose choice is shown where it was made, with the way to take it back: it needs no card at the page's edge. */
import { useLayoutEffect, useSyncExternalStore } from "react";

const places = new Map<number, number>();
const listeners = new Set<() => void>();
let version = 0;

function count(fileId: number, by: 1 | -1): void {
  const now = (places.get(fileId) ?? 0) + by;
  if (now === 0) places.delete(fileId);
  else places.set(fileId, now);
  version += 1;
  for (const listener of listeners) listener();
}

export function useShownInPlace(fileId: number, shown: boolean): void {
  useLayoutEffect(() => {
    if (!shown) return;
    count(fileId, 1);
    return () => count(fileId, -1);
  }, [fileId, shown]);
}

/** Whether a file has its place on the page now. */
export function useIsInPlace(): (fileId: number) => boolean {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  return (fileId) => places.has(fileId);
}
