import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import { useClient, type ViewMemory } from "../../../client/client.ts";
import type { useFileList } from "../../../queries/file-lists/file-list-queries.ts";
import { useRowWindow } from "../../../ui/use-row-window.ts";
import { useFilesContext } from "../files-context.ts";

/** Number of entries that are loaded ahead of the last rendered row. */
const PREFETCH_COUNT = 60;
/** Entries per request. Scrolling far ahead requests as many as are needed. */
const PAGE_SIZE = 200;
/** Minimum number of placeholder rows while more entries can be loaded, because their number may be unknown. */
const MIN_PLACEHOLDER_ROW_COUNT = 8;
/** Number of history entries whose scroll state is stored; the oldest is removed. */
const MAX_SCROLL_STATES = 100;

/** Props of both the table and the tiles. */
export interface ListingProps {
  list: ReturnType<typeof useFileList>;
  /** Identifies the history entry. */
  locationKey: string;
  /** The entry that had the focus when the user left this history entry. */
  initialFocusId: number | null;
  /** True if the user came here from a row, so that the listing takes the keyboard focus. */
  shouldTakeFocus: boolean;
}

export interface ListingLayout {
  perRow: number;
  /** CSS pixels. */
  rowHeight: number;
  /** Height of the header that covers the top of the list, in CSS pixels. */
  stickyHeaderHeight: number;
}

type ListingOptions = ListingProps & ListingLayout & { scroller: RefObject<HTMLDivElement | null> };

/** Manages which rows of a listing are rendered and loaded, its scroll position, and its keyboard focus. */
export function useListing(options: ListingOptions) {
  const { list, scroller, perRow, rowHeight, stickyHeaderHeight } = options;
  const { folder, hasFilter, isRecent, selection } = useFilesContext();
  const { entries, hasMore, loadMore, moreFailed } = list;

  const isDeep = hasFilter || isRecent;
  const folderItemCount = isDeep ? 0 : (folder.item_count ?? 0);
  const placeholderCount = hasMore ? Math.max(MIN_PLACEHOLDER_ROW_COUNT * perRow, folderItemCount - entries.length) : 0;
  const count = entries.length + placeholderCount;
  const rowCount = Math.ceil(count / perRow);
  const { from, to, reveal } = useRowWindow({ scroller, count: rowCount, rowHeight, stickyHeaderHeight });
  useScrollRestoration(options);

  const neededCount = Math.min(count, to * perRow + PREFETCH_COUNT);
  useEffect(() => {
    if (hasMore && !moreFailed && neededCount > entries.length) void loadMore(Math.max(PAGE_SIZE, neededCount - entries.length));
  }, [hasMore, moreFailed, neededCount, entries.length, loadMore]);

  useListingFocus(options, (index) => reveal(Math.floor(index / perRow)));

  const renderedRows = Array.from({ length: Math.max(0, Math.min(to, rowCount) - from) }, (_, index) => from + index);
  const focusedIndex = selection.collection.indexOf(selection.manager.focusedKey);
  // Without a focused row, Tab leads to the first one in the window, or to the top of the list while that one is loading.
  const firstIndex = from * perRow < entries.length ? from * perRow : 0;
  const tabStopIndex = focusedIndex < 0 ? firstIndex : focusedIndex;
  // The row in the tab order is always rendered, so that the page does not lose the focus and Tab reaches the list.
  const tabStopRow = Math.floor(tabStopIndex / perRow);
  if (tabStopRow < from) renderedRows.unshift(tabStopRow);
  if (tabStopRow >= to && tabStopRow < rowCount) renderedRows.push(tabStopRow);

  return {
    rowCount,
    renderedRows,
    isAllSelected: !hasMore && entries.length > 0 && selection.keys.size === entries.length,
    /** The entry in the tab order. */
    tabStopKey: selection.collection.keyAt(tabStopIndex),
    /** -1 if the total is unknown. */
    total: hasMore && (isDeep || folderItemCount >= LIMITS.item_count_max) ? -1 : count,
    retryLoading: () => void loadMore(PAGE_SIZE),
  };
}

/** Gives the keyboard focus to the row that should have it. `revealIndex` scrolls to the row of the entry with this index. */
function useListingFocus({ scroller, locationKey, initialFocusId, shouldTakeFocus }: ListingOptions, revealIndex: (index: number) => void): void {
  const { selection } = useFilesContext();
  const { manager, collection } = selection;
  const { fileListScroll } = useClient().viewMemory;
  const { focusedKey } = manager;
  const isFocusInside = useRef(false);
  const focusRow = (key: number | string | null) => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-entry="${key}"]`);
    element?.focus({ preventScroll: true });
    return Boolean(element);
  };

  useLayoutEffect(() => {
    const requestedId = selection.requestedFocus();
    if (requestedId !== null) {
      if (manager.focusedKey !== requestedId || !manager.isSelected(requestedId)) {
        selection.select(new Set([requestedId]), requestedId);
        manager.setFocusedKey(requestedId);
      }
      revealIndex(collection.indexOf(requestedId));
      if (focusRow(requestedId)) selection.endFocusRequest();
    }
    // If the focused row or selection bar button is gone, the focus returns to the list.
    else if (isFocusInside.current && document.activeElement === document.body) focusRow(focusedKey ?? collection.getFirstKey());
  });
  useEffect(() => {
    // The list gets the focus back after an action in the selection bar, a menu, or a dialog, but not after the user moves it elsewhere.
    const trackFocus = (element: EventTarget | null) => {
      if (!(element instanceof Element)) return;
      if (scroller.current?.contains(element) || element.closest("[data-keeps-list-focus]")) isFocusInside.current = true;
      else if (!element.closest("[data-overlay]")) isFocusInside.current = false;
    };
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener("focusin", ({ target }) => trackFocus(target), { signal });
    // Captures the event to run first, because the handler of a blurred field can rerender the list while nothing has the focus.
    document.addEventListener("focusout", ({ relatedTarget }) => trackFocus(relatedTarget), { signal, capture: true });
    return () => controller.abort();
  }, [scroller]);
  useEffect(() => {
    if (collection.indexOf(focusedKey) >= 0) saveScrollState(fileListScroll, locationKey, { current: Number(focusedKey) });
  }, [fileListScroll, locationKey, focusedKey, collection]);
  useLayoutEffect(() => {
    if (collection.indexOf(focusedKey) < 0) manager.setFocusedKey(collection.indexOf(initialFocusId) < 0 ? null : initialFocusId);
    if (!shouldTakeFocus || document.activeElement !== document.body) return;
    if (manager.focusedKey === null) manager.setFocusedKey(collection.getFirstKey());
    manager.setFocused(true);
    // Runs once, when the entries of the folder appear.
  }, []); // oxlint-disable-line react-hooks/exhaustive-deps
}

/**
 * Manages the scroll position of the list: restores it on return, resets it to the top for a new query, and keeps the
 * top visible row in place while others insert rows above it.
 */
function useScrollRestoration({ scroller, list: { entries }, rowHeight, perRow, locationKey }: ListingOptions): void {
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
  if (scrollStates.size > MAX_SCROLL_STATES) scrollStates.delete(scrollStates.keys().next().value!);
}
