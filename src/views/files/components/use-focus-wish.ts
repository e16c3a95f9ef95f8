import { useEffect, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Selection } from "../model/selection.ts";

/** A row that the keyboard is to go to, perhaps one that is still to come; each wish is an object of its own. */
export interface FocusRequest {
  id: number;
  /** Which folder, and what in it, was looked at. */
  listKey: string;
}

/** Whoever has waited so long does something else by now, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/** Puts the keyboard on a row as soon as it is in the listing, unless somebody has moved on: selected something, or gone to another `listKey`. */
export function useFocusRequest(listKey: string, entries: readonly FileEntry[], change: (change: (selection: Selection) => Selection) => void) {
  const [pendingRequest, setPendingRequest] = useState<FocusRequest | null>(null);
  const [focusRequest, setFocusRequest] = useState<FocusRequest | null>(null);
  if (pendingRequest && pendingRequest.listKey !== listKey) setPendingRequest(null);
  else if (pendingRequest && entries.some(({ id }) => id === pendingRequest.id)) {
    setPendingRequest(null);
    setFocusRequest(pendingRequest);
    change((selection) => ({
      ids: new Set([pendingRequest.id]),
      anchor: pendingRequest.id,
      current: selection.current === pendingRequest.id ? selection.current : pendingRequest.id,
    }));
  }
  useEffect(() => {
    if (!pendingRequest) return;
    const timer = setTimeout(() => setPendingRequest(null), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [pendingRequest]);
  return {
    focusRequest,
    focusEntry: (id: number) => setPendingRequest({ id, listKey }),
    /** What a person selects is more than what was wished before. */
    select(update: (selection: Selection) => Selection) {
      setPendingRequest(null);
      change(update);
    },
  };
}
