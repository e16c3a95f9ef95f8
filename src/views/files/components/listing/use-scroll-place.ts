import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { leavePlace, placeAt } from "../../model/place-memory.ts";

interface Input {
  scroller: RefObject<HTMLElement | null>;
  entries: readonly FileEntry[];
  /** CSS pixels. */
  rowHeight: number;
  perRow: number;
  /** Which page of the history this is. */
  locationKey: string;
}

/**
 * Where the list stands: where it was left, when one comes back; at its top after something else was asked for;
 * and on the row that is seen at its top while others put rows in above it.
 */
export function useScrollPlace({ scroller, entries, rowHeight, perRow, locationKey }: Input): void {
  const held = useRef<{ id: number; row: number } | null>(null);
  const known = useRef<string | null>(null);

  const note = useEffectEvent(() => {
    const top = scroller.current?.scrollTop ?? 0;
    const row = Math.floor(top / rowHeight);
    const entry = entries[row * perRow];
    // Whoever stands at the top sees what is new there.
    held.current = top > 0 && entry ? { id: entry.id, row } : null;
    leavePlace(locationKey, { top });
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (known.current !== locationKey) {
      const first = known.current === null;
      known.current = locationKey;
      element.scrollTo({ top: placeAt(locationKey)?.top ?? (first ? element.scrollTop : 0), behavior: "instant" });
    } else if (held.current) {
      const { id, row } = held.current;
      const at = entries.findIndex((entry) => entry.id === id);
      const moved = at < 0 ? 0 : Math.floor(at / perRow) - row;
      if (moved !== 0) element.scrollTo({ top: element.scrollTop + moved * rowHeight, behavior: "instant" });
    }
    note();
  }, [entries, perRow, rowHeight, locationKey, scroller]);
  useEffect(() => {
    const element = scroller.current!;
    const onScroll = () => note();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [scroller]);
}
