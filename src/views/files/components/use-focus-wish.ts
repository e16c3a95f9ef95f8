import { useEffect, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Selection } from "../model/selection.ts";

/** A row that the keyboard is to go to, perhaps one that is still to come; each wish is an object of its own. */
export interface FocusWish {
  id: number;
  /** Which folder, and what in it, was looked at. */
  place: string;
}

/** Whoever has waited so long does something else by now, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Puts the keyboard on a row as soon as it is in the listing, unless somebody has moved on: selected something, or gone to another `place`. */
export function useFocusWish(place: string, entries: readonly FileEntry[], change: (change: (selection: Selection) => Selection) => void) {
  const [waiting, setWaiting] = useState<FocusWish | null>(null);
  const [wished, setWished] = useState<FocusWish | null>(null);
  if (waiting && waiting.place !== place) setWaiting(null);
  else if (waiting && entries.some(({ id }) => id === waiting.id)) {
    setWaiting(null);
    setWished(waiting);
    change((now) => ({ ids: new Set([waiting.id]), anchor: waiting.id, current: now.current === waiting.id ? now.current : waiting.id }));
  }
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => setWaiting(null), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return {
    wished,
    focus: (id: number) => setWaiting({ id, place }),
    /** What a person selects is more than what was wished before. */
    select(by: (selection: Selection) => Selection) {
      setWaiting(null);
      change(by);
    },
  };
}
