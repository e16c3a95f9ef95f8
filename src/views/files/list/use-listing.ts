import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/files.ts";
import { MAX_PAGE_SIZE } from "../../../queries/file-lists/file-list-queries.ts";
import type { useFileList } from "../../../queries/file-lists/use-file-list.ts";
import { announce } from "../../../ui/announce.ts";
import { useRowWindow } from "../../../ui/use-row-window.ts";
import { useFilesContext } from "../files-context.ts";
import { loadAll as loadToEnd } from "./load-all.ts";
import { saveScrollState, useScrollRestoration } from "./use-scroll-restoration.ts";

/** Number of entries that are loaded ahead of the last rendered row. */
const PREFETCH_COUNT = 60;
/** Entries per request. Scrolling far ahead requests as many as are needed. */
const PAGE_SIZE = 200;
/** Minimum number of placeholder rows while more entries can be loaded, because their number may be unknown. */
const MIN_PLACEHOLDER_ROW_COUNT = 8;

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
  const { list, scroller, perRow, rowHeight, stickyHeaderHeight, locationKey } = options;
  const { folder, hasFilter, selection } = useFilesContext();
  const { entries, hasMore, loadMore, moreFailed } = list;

  const folderItemCount = hasFilter ? 0 : (folder.item_count ?? 0);
  const placeholderCount = hasMore ? Math.max(MIN_PLACEHOLDER_ROW_COUNT * perRow, folderItemCount - entries.length) : 0;
  const count = entries.length + placeholderCount;
  const rowCount = Math.ceil(count / perRow);
  const { from, to, reveal } = useRowWindow({ scroller, count: rowCount, rowHeight, stickyHeaderHeight });
  useScrollRestoration({ scroller, entries, rowHeight, perRow, locationKey });

  const neededCount = Math.min(count, to * perRow + PREFETCH_COUNT);
  useEffect(() => {
    if (hasMore && !moreFailed && neededCount > entries.length) void loadMore(Math.max(PAGE_SIZE, neededCount - entries.length));
  }, [hasMore, moreFailed, neededCount, entries.length, loadMore]);

  useListingFocus(options, (index) => reveal(Math.floor(index / perRow)));

  // The focused row is always rendered, so that the page does not lose the focus.
  const renderedRows = Array.from({ length: Math.max(0, Math.min(to, rowCount) - from) }, (_, index) => from + index);
  const focusedIndex = selection.collection.indexOf(selection.manager.focusedKey);
  const focusedRow = Math.floor(focusedIndex / perRow);
  if (focusedIndex >= 0 && focusedRow < from) renderedRows.unshift(focusedRow);
  if (focusedIndex >= 0 && focusedRow >= to) renderedRows.push(focusedRow);

  return {
    rowCount,
    renderedRows,
    isAllSelected: !hasMore && entries.length > 0 && selection.keys.size === entries.length,
    /** The entry in the tab order. */
    tabStopKey: selection.collection.keyAt(Math.max(0, focusedIndex)),
    /** -1 if the total is unknown. */
    total: hasMore && (hasFilter || folderItemCount >= LIMITS.item_count_max) ? -1 : count,
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
        selection.select(new Set([requestedId]));
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

/** Loads the list to its end, which ends early if another listing is shown meanwhile or the user selects something else. */
export function useLoadAll(list: ListingProps["list"]) {
  const { selection } = useFilesContext();
  const latest = useRef({ list, selection });
  latest.current = { list, selection };
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  const loadAll = () =>
    loadToEnd(
      () => ({
        ...latest.current.list,
        listKey: isMounted.current ? latest.current.selection.listKey : null,
        selectionRevision: selection.getRevision(),
      }),
      () => new Promise((resolve) => requestAnimationFrame(resolve)),
      MAX_PAGE_SIZE,
    );
  const selectEverything = async () => {
    const outcome = await loadAll();
    if (outcome === "superseded") return;
    const ids = latest.current.list.entries.map(({ id }) => id);
    latest.current.selection.select(new Set(ids));
    announce(t(outcome === "complete" ? "allSelected" : "partlySelected", { count: ids.length }));
  };
  return { loadAll, selectEverything };
}
