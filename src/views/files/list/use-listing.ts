import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/files.ts";
import type { useFileList } from "../../../queries/file-lists/use-file-list.ts";
import { announce } from "../../../ui/announce.ts";
import { useRowWindow } from "../../../ui/use-row-window.ts";
import { useFilesContext } from "../files-context.ts";
import { clearSelection, selectAll } from "../selection.ts";
import { formatUrlState } from "../url-state.ts";
import type { FocusRequest } from "../use-selection.ts";
import { type ListingState, loadAll as loadToEnd, type LoadAllOutcome } from "./load-all.ts";
import { useListingKeys } from "./use-listing-keys.ts";
import { useListingPointer } from "./use-listing-pointer.ts";
import { saveScrollState, useScrollRestoration } from "./use-scroll-restoration.ts";

/** Number of entries that are loaded ahead of the last rendered row. */
const PREFETCH_COUNT = 60;
/** Entries per request. Scrolling far ahead requests as many as are needed. */
const PAGE_SIZE = 200;
/** Entries per request when everything is loaded. */
const MAX_PAGE_SIZE = 500;
/** Minimum number of placeholder rows while more entries can be loaded, because their number may be unknown. */
const MIN_PLACEHOLDER_ROW_COUNT = 8;

/** Focus requests that must not be handled again after a switch to tiles or to another folder. */
const handledRequests = new WeakSet<FocusRequest>();

/** Props of both the table and the tiles. */
export interface ListingProps {
  list: ReturnType<typeof useFileList>;
  /** Identifies the history entry. */
  locationKey: string;
  focusRequest: FocusRequest | null;
  /** True if the user came here from a row, so that the listing takes the keyboard focus. */
  shouldTakeFocus: boolean;
}

interface ListingOptions extends ListingProps {
  scroller: RefObject<HTMLDivElement | null>;
  perRow: number;
  /** CSS pixels. */
  rowHeight: number;
  /** Height of the header that covers the top of the list, in CSS pixels. */
  stickyHeaderHeight: number;
}

/** Shares the logic of table and tiles: rendered rows, loading, focus, keys, and presses. */
export function useListing({ list, scroller, perRow, rowHeight, stickyHeaderHeight, locationKey, focusRequest, shouldTakeFocus }: ListingOptions) {
  const context = useFilesContext();
  const { entries, hasMore, loadMore, moreFailed } = list;

  const folderItemCount = context.hasFilter ? 0 : (context.folder.item_count ?? 0);
  const placeholderCount = hasMore ? Math.max(MIN_PLACEHOLDER_ROW_COUNT * perRow, folderItemCount - entries.length) : 0;
  const count = entries.length + placeholderCount;
  const rowCount = Math.ceil(count / perRow);
  const { from, to, reveal } = useRowWindow({ scroller, count: rowCount, rowHeight, stickyHeaderHeight });
  const { fileListScroll } = useClient().viewMemory;
  useScrollRestoration({ scroller, entries, rowHeight, perRow, locationKey });

  const neededCount = Math.min(count, to * perRow + PREFETCH_COUNT);
  useEffect(() => {
    if (hasMore && !moreFailed && neededCount > entries.length) void loadMore(Math.max(PAGE_SIZE, neededCount - entries.length));
  }, [hasMore, moreFailed, neededCount, entries.length, loadMore]);

  const focusedId = context.selection.current;
  const currentEntry = useMemo(() => {
    const index = entries.findIndex(({ id }) => id === focusedId);
    return { id: entries[Math.max(0, index)]?.id ?? null, row: index < 0 ? null : Math.floor(index / perRow) };
  }, [entries, focusedId, perRow]);
  const revealIndex = (index: number) => reveal(Math.floor(index / perRow));
  const requestFocus = useListingFocus({ scroller, entries, currentId: currentEntry.id, revealIndex, focusRequest, shouldTakeFocus });
  const { loadAll, selectEverything } = useLoadAll(list);
  const isAllSelected = !hasMore && entries.length > 0 && context.selection.ids.size === entries.length;

  const onKeyDown = useListingKeys({
    perRow,
    pageRows: () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - stickyHeaderHeight) / rowHeight) - 1),
    loadAll,
    selectEverything,
    requestFocus,
  });
  const pointerHandlers = useListingPointer();

  // The focused row is always rendered, so that the page does not lose the focus.
  const renderedRows = Array.from({ length: Math.max(0, Math.min(to, rowCount) - from) }, (_, index) => from + index);
  if (currentEntry.row !== null && currentEntry.row < from) renderedRows.unshift(currentEntry.row);
  if (currentEntry.row !== null && currentEntry.row >= to) renderedRows.push(currentEntry.row);

  return {
    rowCount,
    renderedRows,
    isAllSelected,
    toggleAll: () => (isAllSelected ? context.select(clearSelection) : void selectEverything()),
    currentId: currentEntry.id,
    /** -1 if the total is unknown. */
    total: hasMore && (context.hasFilter || folderItemCount >= LIMITS.item_count_max) ? -1 : count,
    retryLoading: () => void loadMore(PAGE_SIZE),
    handlers: {
      ...pointerHandlers,
      onKeyDown,
      onFocus({ target }: FocusEvent) {
        const id = Number(target.closest<HTMLElement>("[data-entry]")?.dataset["entry"]);
        if (id) saveScrollState(fileListScroll, locationKey, { current: id });
        if (id && id !== context.selection.current) context.select((selection) => ({ ...selection, current: id }));
      },
    },
  };
}

interface ListingFocusOptions extends Pick<ListingOptions, "scroller" | "focusRequest" | "shouldTakeFocus"> {
  entries: readonly FileEntry[];
  /** The entry that gets the focus when the list takes it. */
  currentId: number | null;
  /** Scrolls to the row of the entry with this index. */
  revealIndex(index: number): void;
}

/** Manages the keyboard focus of the list. Returns the function that focuses an entry after the next render. */
function useListingFocus({ scroller, entries, currentId, revealIndex, focusRequest, shouldTakeFocus }: ListingFocusOptions): (id: number) => void {
  const pendingFocusId = useRef<number | null>(null);
  const isFocusInside = useRef(false);
  const hasTakenFocus = useRef(false);
  const findElement = (id: number) => scroller.current?.querySelector<HTMLElement>(`[data-entry="${id}"]`);

  // Runs before the effect that sets the focus. Otherwise the next render would set it, and take the focus from a field opened meanwhile.
  useLayoutEffect(() => {
    if (!focusRequest || handledRequests.has(focusRequest)) return;
    handledRequests.add(focusRequest);
    pendingFocusId.current = focusRequest.id;
  }, [focusRequest]);
  useLayoutEffect(() => {
    const id = pendingFocusId.current;
    // If the focused row or selection bar button is gone, the focus returns to the list.
    if (id === null && isFocusInside.current && document.activeElement === document.body && currentId !== null)
      findElement(currentId)?.focus({ preventScroll: true });
    if (id === null) return;
    const index = entries.findIndex((entry) => entry.id === id);
    if (index >= 0) revealIndex(index);
    const element = findElement(id);
    if (!element) return;
    pendingFocusId.current = null;
    element.focus({ preventScroll: true });
  });
  useEffect(() => {
    // The list gets the focus back after an action in the selection bar, a menu, or a dialog, but not after the user moves it elsewhere.
    const trackFocus = (element: EventTarget | null) => {
      if (!(element instanceof Element)) return;
      if (scroller.current?.contains(element) || element.closest("[data-keeps-list-focus]")) isFocusInside.current = true;
      else if (!element.closest("[data-overlay]")) isFocusInside.current = false;
    };
    const onFocusIn = ({ target }: globalThis.FocusEvent) => trackFocus(target);
    // Captures the event to run first, because the handler of a blurred field can rerender the list while nothing has the focus.
    const onFocusOut = ({ relatedTarget }: globalThis.FocusEvent) => trackFocus(relatedTarget);
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("focusout", onFocusOut, true);
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("focusout", onFocusOut, true);
    };
  }, [scroller]);
  useLayoutEffect(() => {
    if (!shouldTakeFocus || hasTakenFocus.current || currentId === null) return;
    hasTakenFocus.current = true;
    if (document.activeElement === document.body) findElement(currentId)?.focus({ preventScroll: true });
  });
  return (id) => {
    pendingFocusId.current = id;
  };
}

/** Loads the list to its end, which ends early if another listing is shown meanwhile or the user selects something else. */
function useLoadAll(list: ListingProps["list"]): { loadAll(): Promise<LoadAllOutcome>; selectEverything(): Promise<void> } {
  const { folder, urlState, selectionRevision, select } = useFilesContext();
  const listKey = `${folder.id}${formatUrlState(urlState)}`;
  const latest = useRef<ListingState & Pick<typeof list, "entries">>({ ...list, listKey, selectionRevision });
  latest.current = { ...list, listKey, selectionRevision };
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  const loadAll = () =>
    loadToEnd(
      () => (isMounted.current ? latest.current : { ...latest.current, listKey: null }),
      () => new Promise((resolve) => requestAnimationFrame(resolve)),
      MAX_PAGE_SIZE,
    );
  const selectEverything = async () => {
    const outcome = await loadAll();
    if (outcome === "superseded") return;
    const order = latest.current.entries.map(({ id }) => id);
    select((selection) => selectAll(selection, order));
    announce(t(outcome === "complete" ? "allSelected" : "partlySelected", { count: order.length }));
  };
  return { loadAll, selectEverything };
}
