import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useClient, type ViewMemory } from "../../../client/client.ts";

/** Number of history entries whose state is stored; the oldest is removed. */
const MAX_ENTRIES = 100;

interface ScrollRestorationOptions {
  scroller: RefObject<HTMLElement | null>;
  entries: readonly FileEntry[];
  /** CSS pixels. */
  rowHeight: number;
  perRow: number;
  /** Identifies the history entry. */
  locationKey: string;
}

/**
 * Manages the scroll position of the list: restores it on return, resets it to the top for a new query, and keeps the
 * top visible row in place while others insert rows above it.
 */
export function useScrollRestoration({ scroller, entries, rowHeight, perRow, locationKey }: ScrollRestorationOptions): void {
  const { fileListScroll } = useClient().viewMemory;
  const anchorRow = useRef<{ id: number; row: number } | null>(null);
  const lastLocationKey = useRef<string | null>(null);

  const saveScroll = useEffectEvent(() => {
    const top = scroller.current?.scrollTop ?? 0;
    const row = Math.floor(top / rowHeight);
    const entry = entries[row * perRow];
    // At the top there is no anchor, so that new rows become visible.
    anchorRow.current = top > 0 && entry ? { id: entry.id, row } : null;
    saveScrollState(fileListScroll, locationKey, { top });
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (lastLocationKey.current !== locationKey) {
      const isFirst = lastLocationKey.current === null;
      lastLocationKey.current = locationKey;
      element.scrollTo({ top: fileListScroll.get(locationKey)?.top ?? (isFirst ? element.scrollTop : 0), behavior: "instant" });
    } else if (anchorRow.current) {
      const { id, row } = anchorRow.current;
      const index = entries.findIndex((entry) => entry.id === id);
      const rowShift = index < 0 ? 0 : Math.floor(index / perRow) - row;
      if (rowShift !== 0) element.scrollTo({ top: element.scrollTop + rowShift * rowHeight, behavior: "instant" });
    }
    saveScroll();
  }, [entries, perRow, rowHeight, locationKey, scroller, fileListScroll]);
  useEffect(() => {
    const element = scroller.current!;
    const onScroll = () => saveScroll();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [scroller]);
}

export function saveScrollState(scrollStates: ViewMemory["fileListScroll"], locationKey: string, changes: { top?: number; current?: number | null }): void {
  const previous = scrollStates.get(locationKey) ?? { top: 0, current: null };
  scrollStates.delete(locationKey);
  scrollStates.set(locationKey, { ...previous, ...changes });
  if (scrollStates.size > MAX_ENTRIES) scrollStates.delete(scrollStates.keys().next().value!);
}
