import { useMemo, useRef, useState } from "react";
import { type ListProps, useListState } from "react-stately/useListState";
import type { FileEntry } from "../../../contract/file-records.ts";
import { EntryCollection, type Key } from "./list/entry-collection.ts";

/** Milliseconds after which a request to focus a row expires, because the user has moved on by then. */
const MAX_WAIT_MS = 5_000;

const NO_KEYS: ReadonlySet<Key> = new Set();

type LayoutDelegate = NonNullable<ListProps<FileEntry>["layoutDelegate"]>;

/** The ends of a range, which react-stately keeps at the set of selected keys. */
interface RangeEnds {
  anchorKey?: Key | null;
  currentKey?: Key | null;
}
/** Returns where a range with Shift starts. */
export const anchorOf = (keys: unknown): Key | null => (keys as RangeEnds).anchorKey ?? null;

/**
 * Manages the selection and the focused row of a listing. Entries that remain stay selected when others change the folder or the search changes; another
 * `folderId` resets the selection. `listKey` identifies the folder and its filter.
 */
export function useSelection(folderId: number, listKey: string, entries: readonly FileEntry[]) {
  const collection = useMemo(() => new EntryCollection(entries), [entries]);
  const [stored, setStored] = useState({ folderId, collection, keys: NO_KEYS });
  let { keys } = stored;
  if (stored.folderId !== folderId) keys = NO_KEYS;
  else if (stored.collection !== collection && [...keys].some((key) => collection.indexOf(key) < 0))
    keys = new Set([...keys].filter((key) => collection.indexOf(key) >= 0));
  if (stored.folderId !== folderId || stored.collection !== collection) setStored({ folderId, collection, keys });

  /** Increases when the user selects something else, but not when entries are deselected because they are gone. */
  const revision = useRef(0);
  const focusRequest = useRef<{ id: number; listKey: string; expiresAt: number } | null>(null);
  const [, setFocusRequestCount] = useState(0);
  /** True while a key or press extends the selection with Shift alone, which deselects everything outside of the range. */
  const isRangeOnly = useRef(false);
  const select = (next: ReadonlySet<Key>) => {
    revision.current += 1;
    setStored((previous) => ({ ...previous, keys: next }));
  };
  const state = useListState<FileEntry>({
    collection,
    // Only the range is read from it; everything else of a layout is for virtualized rows.
    layoutDelegate: collection as unknown as LayoutDelegate,
    selectionMode: "multiple",
    selectionBehavior: "replace",
    selectedKeys: keys,
    onSelectionChange(next) {
      if (next === "all") return;
      const { anchorKey = null, currentKey = null } = next as RangeEnds;
      if (isRangeOnly.current && anchorKey !== null && currentKey !== null) {
        const range = new Set(collection.getKeyRange(anchorKey, currentKey));
        for (const key of next) if (!range.has(key)) next.delete(key);
      }
      // A selection by the user overrides a request.
      focusRequest.current = null;
      select(next);
    },
  });
  return {
    listKey,
    state,
    manager: state.selectionManager,
    collection,
    keys,
    select,
    getRevision: () => revision.current,
    setRangeOnly: (isOnly: boolean) => void (isRangeOnly.current = isOnly),
    /** Selects and focuses a row as soon as it is in the listing, unless the user selects something else first or `listKey` changes. */
    focusEntry(id: number) {
      focusRequest.current = { id, listKey, expiresAt: performance.now() + MAX_WAIT_MS };
      setFocusRequestCount((count) => count + 1);
    },
    /** Returns the row that should get the focus and is in the listing, or null. */
    requestedFocus(): number | null {
      const request = focusRequest.current;
      if (request && (request.listKey !== listKey || performance.now() > request.expiresAt)) focusRequest.current = null;
      return request === focusRequest.current && request && collection.indexOf(request.id) >= 0 ? request.id : null;
    },
    endFocusRequest: () => void (focusRequest.current = null),
  };
}

export type EntrySelection = ReturnType<typeof useSelection>;
