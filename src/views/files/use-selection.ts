import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useListState } from "react-stately/useListState";
import type { FileEntry } from "../../../contract/file-records.ts";
import { EntryCollection, type Key } from "./list/entry-collection.ts";

/** Milliseconds after which a request to focus a row expires, because the user has moved on by then. */
const MAX_WAIT_MS = 5_000;

const NO_KEYS: ReadonlySet<Key> = new Set();

/** How the current key or press extends the selection. */
interface RangeMode {
  /** True with Shift alone, which deselects everything outside of the range. */
  isOnly: boolean;
  /** Where the range starts without an anchor; if null, at the row that it goes to. */
  start: Key | null;
}

/**
 * Manages the selection and the focused row of a listing. Entries that remain stay selected when others change the folder or the search changes; another
 * `folderId` resets the selection. `listKey` identifies the folder and its filter.
 */
export function useSelection(folderId: number, listKey: string, entries: readonly FileEntry[]) {
  const collection = useMemo(() => new EntryCollection(entries), [entries]);
  const [stored, setStored] = useState({ folderId, collection, keys: NO_KEYS, anchor: null as Key | null });
  let { keys, anchor } = stored;
  if (stored.folderId !== folderId || stored.collection !== collection) {
    const isHere = (key: Key | null) => stored.folderId === folderId && collection.indexOf(key) >= 0;
    if (![...keys].every(isHere)) keys = new Set([...keys].filter(isHere));
    if (!isHere(anchor)) anchor = null;
    setStored({ folderId, collection, keys, anchor });
  }

  /** Increases when the user selects something else, but not when entries are deselected because they are gone. */
  const revision = useRef(0);
  const focusRequest = useRef<{ id: number; listKey: string; expiresAt: number } | null>(null);
  const [, setFocusRequestCount] = useState(0);
  const range = useRef<RangeMode>({ isOnly: false, start: null });
  const select = (nextKeys: ReadonlySet<Key>, nextAnchor: Key | null) => {
    revision.current += 1;
    setStored((previous) => ({ ...previous, keys: nextKeys, anchor: nextAnchor }));
  };
  /** A selection by the user overrides a request. */
  const selectByUser: typeof select = (...selected) => {
    focusRequest.current = null;
    select(...selected);
  };
  const state = useListState<FileEntry>({ collection, selectionMode: "multiple", selectionBehavior: "replace", selectedKeys: keys });
  // The library's own functions keep the anchor at the set of keys, where it is lost when entries are deselected because they are gone.
  const manager = Object.assign(state.selectionManager, {
    replaceSelection: (key: Key) => selectByUser(new Set([key]), key),
    toggleSelection(key: Key) {
      const nextKeys = new Set(keys);
      if (!nextKeys.delete(key)) nextKeys.add(key);
      selectByUser(nextKeys, key);
    },
    extendSelection(key: Key) {
      const start = anchor ?? range.current.start ?? key;
      selectByUser(new Set([...(range.current.isOnly ? [] : keys), ...collection.getKeyRange(start, key)]), start);
    },
    selectAll: () => selectByUser(new Set(collection.getKeys()), collection.getFirstKey()),
    clearSelection: () => keys.size > 0 && selectByUser(NO_KEYS, null),
  });
  // The toolbar announces the selection. The library would do it as well whenever this value changes.
  Object.defineProperty(manager, "rawSelection", { value: NO_KEYS });

  const shownListKey = useRef(listKey);
  useLayoutEffect(() => {
    // Another search has other neighbors, so the library does not move the focus to a neighbor of a previous result.
    if (shownListKey.current !== listKey && collection.indexOf(manager.focusedKey) < 0) manager.setFocusedKey(null);
    shownListKey.current = listKey;
  }, [collection]); // oxlint-disable-line react-hooks/exhaustive-deps
  return {
    listKey,
    state,
    manager,
    collection,
    keys,
    select,
    getRevision: () => revision.current,
    setRangeMode: (mode: RangeMode) => void (range.current = mode),
    /** Selects and focuses a row as soon as it is in the listing, unless the user selects something else first or `listKey` changes. */
    focusEntry(id: number) {
      focusRequest.current = { id, listKey, expiresAt: performance.now() + MAX_WAIT_MS };
      setFocusRequestCount((count) => count + 1);
    },
    /** Returns the row that should get the focus and is in the listing, or null. */
    requestedFocus(): number | null {
      const request = focusRequest.current;
      const isCurrent = request?.listKey === listKey && performance.now() <= request.expiresAt;
      if (!isCurrent) focusRequest.current = null;
      return isCurrent && collection.indexOf(request.id) >= 0 ? request.id : null;
    },
    endFocusRequest: () => void (focusRequest.current = null),
  };
}

export type EntrySelection = ReturnType<typeof useSelection>;
