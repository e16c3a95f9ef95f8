import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import { t } from "../../../lib/texts/files.ts";
import type { useFileList } from "../../../queries/file-lists/use-file-list.ts";
import { announce } from "../../../ui/announce.ts";
import { useRowWindow } from "../../../ui/use-row-window.ts";
import { useFilesContext } from "../files-context.ts";
import { clearSelection, selectAll } from "../selection.ts";
import { formatUrlState } from "../url-state.ts";
import type { FocusRequest } from "../use-selection.ts";
import { type ListingState, loadAll as loadToEnd } from "./load-all.ts";
import { useListingKeys } from "./use-listing-keys.ts";
import { useListingPointer } from "./use-listing-pointer.ts";
import { saveScrollState, useScrollRestoration } from "./use-scroll-restoration.ts";

/** Number of entries that are loaded ahead of the last rendered row. */
const PREFETCH_ROWS = 60;
/** Entries per request. Scrolling far ahead requests as many as are needed. */
const PAGE_SIZE = 200;
/** Entries per request when everything is loaded. */
const MAX_PAGE_SIZE = 500;
/** Minimum number of placeholder rows while more entries can be loaded, because their number may be unknown. */
const PLACEHOLDER_ROWS = 8;

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

interface GridOptions extends ListingProps {
  scroller: RefObject<HTMLDivElement | null>;
  perRow: number;
  /** CSS pixels. */
  rowHeight: number;
  /** Height of the header that covers the top of the list, in CSS pixels. */
  stickyHeaderHeight: number;
}

/** Shares the logic of table and tiles: rendered rows, loading, focus, keys, and presses. */
export function useGrid({ list, scroller, perRow, rowHeight, stickyHeaderHeight, locationKey, focusRequest, shouldTakeFocus }: GridOptions) {
  const context = useFilesContext();
  const { entries, hasMore, loadMore, moreFailed } = list;
  const pendingFocusId = useRef<number | null>(null);
  const isFocusInside = useRef(false);

  const folderItemCount = context.hasFilter ? 0 : (context.folder.item_count ?? 0);
  const placeholderCount = hasMore ? Math.max(PLACEHOLDER_ROWS * perRow, folderItemCount - entries.length) : 0;
  const count = entries.length + placeholderCount;
  const rows = Math.ceil(count / perRow);
  const { from, to, reveal } = useRowWindow({ scroller, count: rows, rowHeight, stickyHeaderHeight });
  useScrollRestoration({ scroller, entries, rowHeight, perRow, locationKey });

  const neededCount = Math.min(count, to * perRow + PREFETCH_ROWS);
  useEffect(() => {
    if (hasMore && !moreFailed && neededCount > entries.length) void loadMore(Math.max(PAGE_SIZE, neededCount - entries.length));
  }, [hasMore, moreFailed, neededCount, entries.length, loadMore]);

  const focusedId = context.selection.current;
  const currentEntry = useMemo(() => {
    const index = entries.findIndex(({ id }) => id === focusedId);
    return { id: entries[Math.max(0, index)]?.id ?? null, row: index < 0 ? null : Math.floor(index / perRow) };
  }, [entries, focusedId, perRow]);

  // Runs before the effect that sets the focus. Otherwise the next render would set it, and take the focus from a field opened meanwhile.
  useLayoutEffect(() => {
    if (!focusRequest || handledRequests.has(focusRequest)) return;
    handledRequests.add(focusRequest);
    pendingFocusId.current = focusRequest.id;
  }, [focusRequest]);
  const findElement = (id: number) => scroller.current?.querySelector<HTMLElement>(`[data-entry="${id}"]`);
  useLayoutEffect(() => {
    const id = pendingFocusId.current;
    // If the focused row or selection bar button is gone, the focus returns to the list.
    if (id === null && isFocusInside.current && document.activeElement === document.body && currentEntry.id !== null)
      findElement(currentEntry.id)?.focus({ preventScroll: true });
    if (id === null) return;
    const index = entries.findIndex((entry) => entry.id === id);
    if (index >= 0) reveal(Math.floor(index / perRow));
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
      else if (!element.closest("[popover], dialog")) isFocusInside.current = false;
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
  const firstId = currentEntry.id;
  const hasTakenFocus = useRef(false);
  useLayoutEffect(() => {
    if (!shouldTakeFocus || hasTakenFocus.current || firstId === null) return;
    hasTakenFocus.current = true;
    if (document.activeElement === document.body) findElement(firstId)?.focus({ preventScroll: true });
  });

  const listKey = `${context.folder.id}${formatUrlState(context.urlState)}`;
  const { selectionRevision } = context;
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
    context.select((selection) => selectAll(selection, order));
    announce(t(outcome === "complete" ? "allSelected" : "partlySelected", { count: order.length }));
  };
  const allSelected = !hasMore && entries.length > 0 && context.selection.ids.size === entries.length;

  const onKeyDown = useListingKeys({
    perRow,
    pageRows: () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - stickyHeaderHeight) / rowHeight) - 1),
    loadAll,
    selectEverything,
    requestFocus: (id) => {
      pendingFocusId.current = id;
    },
  });
  const pointerHandlers = useListingPointer();

  // The focused row is always rendered, so that the page does not lose the focus.
  const renderedRows = Array.from({ length: Math.max(0, Math.min(to, rows) - from) }, (_, index) => from + index);
  if (currentEntry.row !== null && currentEntry.row < from) renderedRows.unshift(currentEntry.row);
  if (currentEntry.row !== null && currentEntry.row >= to) renderedRows.push(currentEntry.row);

  return {
    rows,
    renderedRows,
    allSelected,
    toggleAll: () => (allSelected ? context.select(clearSelection) : void selectEverything()),
    currentId: currentEntry.id,
    /** -1 if the total is unknown. */
    total: hasMore && (context.hasFilter || folderItemCount >= LIMITS.item_count_max) ? -1 : count,
    handlers: {
      ...pointerHandlers,
      onKeyDown,
      onFocus({ target }: FocusEvent) {
        const id = Number(target.closest<HTMLElement>("[data-entry]")?.dataset["entry"]);
        if (id) saveScrollState(locationKey, { current: id });
        if (id && id !== context.selection.current) context.select((selection) => ({ ...selection, current: id }));
      },
    },
  };
}
