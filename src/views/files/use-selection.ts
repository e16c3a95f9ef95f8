import { useEffect, useState } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import { EMPTY_SELECTION, reconcileSelection, type Selection } from "./selection.ts";

/** Milliseconds after which a request expires, because the user has moved on by then. */
const MAX_WAIT_MS = 5_000;

interface State {
  listKey: string;
  /** The query that found the entries. */
  searchKey: string;
  entries: readonly FileEntry[];
  selection: Selection;
  selectionRevision: number;
}

const idsOf = (entries: readonly FileEntry[]) => entries.map(({ id }) => id);

/**
 * Manages the selection in a listing. Entries that remain stay selected when others change the folder or `searchKey` changes;
 * another `listKey` resets the selection. `selectionRevision` increases when other entries are
 * selected, but not when entries are deselected because they are gone.
 */
export function useSelection(listKey: string, searchKey: string, entries: readonly FileEntry[], initialCurrent: number | null) {
  const [state, setState] = useState<State>({
    listKey,
    searchKey,
    entries,
    selection: { ...EMPTY_SELECTION, current: initialCurrent },
    selectionRevision: 0,
  });
  let { selection } = state;
  const { selectionRevision } = state;
  if (state.listKey !== listKey) selection = { ...EMPTY_SELECTION, current: initialCurrent };
  // Another search has other neighbors, so the focus does not move to a neighbor of a previous result.
  else if (state.entries !== entries) selection = reconcileSelection(selection, state.searchKey === searchKey ? idsOf(state.entries) : [], idsOf(entries));
  if (state.listKey !== listKey || state.entries !== entries) setState({ listKey, searchKey, entries, selection, selectionRevision });
  const select = (change: (selection: Selection) => Selection) =>
    setState((previous) => {
      const changed = change(previous.selection);
      const isSame = changed.ids === previous.selection.ids;
      return { ...previous, selection: changed, selectionRevision: previous.selectionRevision + (isSame ? 0 : 1) };
    });
  return { selection, selectionRevision, select };
}

/** A request to focus a row, which may not exist yet. Each request is an object of its own. */
export interface FocusRequest {
  id: number;
  /** Identifies the folder and its filter. */
  listKey: string;
}

/** Selects and focuses a row as soon as it is in the listing, unless the user selects something else first or `listKey` changes. */
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
    /** A selection by the user overrides the pending request. */
    select(update: (selection: Selection) => Selection) {
      setPendingRequest(null);
      change(update);
    },
  };
}
