import { useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Selection } from "../model/selection.ts";

/** A row that the keyboard is to go to, perhaps one that is still to come; each wish is an object of its own. */
export interface FocusWish {
  id: number;
}

/** Puts the keyboard on a row as soon as it is in the listing. */
export function useFocusWish(entries: readonly FileEntry[], select: (change: (selection: Selection) => Selection) => void) {
  const [waiting, setWaiting] = useState<FocusWish | null>(null);
  const [wished, setWished] = useState<FocusWish | null>(null);
  if (waiting && entries.some(({ id }) => id === waiting.id)) {
    setWaiting(null);
    setWished(waiting);
    select((now) => ({ ids: new Set([waiting.id]), anchor: waiting.id, current: now.current === waiting.id ? now.current : waiting.id }));
  }
  return { wished, focus: (id: number) => setWaiting({ id }) };
}
