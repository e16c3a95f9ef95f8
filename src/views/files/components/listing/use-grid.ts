import { useEffect, useLayoutEffect, useMemo, useRef, type FocusEvent, type RefObject } from "react";
import { LIMITS } from "../../../../../contract/limits.ts";
import { t } from "../../../../lib/messages/files.ts";
import { announce } from "../../../../ui/announce.ts";
import { useRowWindow } from "../../../../ui/use-row-window.ts";
import { clear, selectAll } from "../../model/selection.ts";
import { leavePlace } from "../../model/place-memory.ts";
import { searchOf } from "../../model/url-state.ts";
import { useFilesRoom } from "../files-room.ts";
import type { ListingProps } from "./listing-props.ts";
import { useListingKeys } from "./use-listing-keys.ts";
import { useListingPointer } from "./use-listing-pointer.ts";
import { useScrollPlace } from "./use-scroll-place.ts";
import { loadAll as loadToEnd, type Loaded } from "./load-all.ts";
import type { FocusWish } from "../use-focus-wish.ts";

interface Input extends ListingProps {
  scroller: RefObject<HTMLDivElement | null>;
  perRow: number;
  /** CSS pixels. */
  rowHeight: number;
  /** What covers the top of the list, in CSS pixels. */
  covered: number;
}

/** Rows before the end of what is loaded at which more is asked for. */
const AHEAD = 60;
/** Entries at once, and at most while somebody drags far ahead. */
const PAGE = 200;
/** The same where all is wanted. */
const LARGE_PAGE = 500;
/** Rows without content below what is loaded, where nobody knows how many will come. */
const SOME = 8;

/** Wishes that need no second fulfillment, in other tiles or another folder. */
const granted = new WeakSet<FocusWish>();

/** What table and tiles have in common: which rows are drawn, what is loaded for them, where the focus is, and what keys and presses do. */
export function useGrid({ list, scroller, perRow, rowHeight, covered, locationKey, wished, takesFocus }: Input) {
  const room = useFilesRoom();
  const { entries, hasMore, loadMore, moreFailed } = list;
  const soon = useRef<number | null>(null);
  const inside = useRef(false);

  const inFolder = room.filtered ? 0 : (room.folder.item_count ?? 0);
  const rest = hasMore ? Math.max(SOME * perRow, inFolder - entries.length) : 0;
  const count = entries.length + rest;
  const rows = Math.ceil(count / perRow);
  const { from, to, reveal } = useRowWindow({ scroller, count: rows, rowHeight, covered });
  useScrollPlace({ scroller, entries, rowHeight, perRow, locationKey });

  const needed = Math.min(count, to * perRow + AHEAD);
  useEffect(() => {
    if (hasMore && !moreFailed && needed > entries.length) void loadMore(Math.max(PAGE, needed - entries.length));
  }, [hasMore, moreFailed, needed, entries.length, loadMore]);

  const standing = room.selection.current;
  const current = useMemo(() => {
    const at = entries.findIndex(({ id }) => id === standing);
    return { id: entries[Math.max(0, at)]?.id ?? null, row: at < 0 ? null : Math.floor(at / perRow) };
  }, [entries, standing, perRow]);

  // Before the focus is given: else it waits for the next drawing and takes it from a field that was opened meanwhile.
  useLayoutEffect(() => {
    if (!wished || granted.has(wished)) return;
    granted.add(wished);
    soon.current = wished.id;
  }, [wished]);
  const elementOf = (id: number) => scroller.current?.querySelector<HTMLElement>(`[data-entry="${id}"]`);
  useLayoutEffect(() => {
    const id = soon.current;
    // Who was on a row that is gone, or on a button of the bar, stays in the list.
    if (id === null && inside.current && document.activeElement === document.body && current.id !== null) elementOf(current.id)?.focus({ preventScroll: true });
    if (id === null) return;
    const at = entries.findIndex((entry) => entry.id === id);
    if (at >= 0) reveal(Math.floor(at / perRow));
    const element = elementOf(id);
    if (!element) return;
    soon.current = null;
    element.focus({ preventScroll: true });
  });
  useEffect(() => {
    // What is done from the bar or a dialog ends in the list; whoever goes elsewhere stays there.
    const goTo = (element: EventTarget | null) => {
      if (!(element instanceof Element)) return;
      if (scroller.current?.contains(element) || element.closest("[data-keeps-list]")) inside.current = true;
      else if (!element.closest("[popover], dialog")) inside.current = false;
    };
    const onFocusIn = ({ target }: globalThis.FocusEvent) => goTo(target);
    // First of all: what is done on leaving a field is drawn while the focus is nowhere.
    const onFocusOut = ({ relatedTarget }: globalThis.FocusEvent) => goTo(relatedTarget);
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("focusout", onFocusOut, true);
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("focusout", onFocusOut, true);
    };
  }, [scroller]);
  const first = current.id;
  const taken = useRef(false);
  useLayoutEffect(() => {
    if (!takesFocus || taken.current || first === null) return;
    taken.current = true;
    if (document.activeElement === document.body) elementOf(first)?.focus({ preventScroll: true });
  });

  const place = `${room.folder.id}${searchOf(room.shown)}`;
  const latest = useRef<Loaded & Pick<typeof list, "entries">>({ ...list, place });
  latest.current = { ...list, place };
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const loadAll = () =>
    loadToEnd(
      () => (isShown.current ? latest.current : { ...latest.current, place: null }),
      () => new Promise((resolve) => requestAnimationFrame(resolve)),
      LARGE_PAGE,
    );
  const selectEverything = async () => {
    const outcome = await loadAll();
    if (outcome === "left") return;
    const order = latest.current.entries.map(({ id }) => id);
    room.select((now) => selectAll(now, order));
    announce(t(outcome === "all" ? "allSelected" : "partSelected", { count: order.length }));
  };
  const all = !hasMore && entries.length > 0 && room.selection.ids.size === entries.length;

  const onKeyDown = useListingKeys({
    perRow,
    pageRows: () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - covered) / rowHeight) - 1),
    loadAll,
    selectEverything,
    focusSoon: (id) => {
      soon.current = id;
    },
  });
  const pointer = useListingPointer();

  // The row of the keyboard is always drawn: the focus must not fall out of the page.
  const drawn = Array.from({ length: Math.max(0, Math.min(to, rows) - from) }, (_, index) => from + index);
  if (current.row !== null && current.row < from) drawn.unshift(current.row);
  if (current.row !== null && current.row >= to) drawn.push(current.row);

  return {
    rows,
    drawn,
    all,
    toggleAll: () => (all ? room.select(clear) : void selectEverything()),
    current: current.id,
    /** -1: nobody knows how many there are. */
    total: hasMore && (room.filtered || inFolder >= LIMITS.item_count_max) ? -1 : count,
    handlers: {
      ...pointer,
      onKeyDown,
      onFocus({ target }: FocusEvent) {
        const id = Number(target.closest<HTMLElement>("[data-entry]")?.dataset["entry"]);
        if (id) leavePlace(locationKey, { current: id });
        if (id && id !== room.selection.current) room.select((now) => ({ ...now, current: id }));
      },
    },
  };
}
