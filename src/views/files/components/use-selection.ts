import { useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { reconcileSelection, EMPTY_SELECTION, type Selection } from "../model/selection.ts";

interface State {
  listKey: string;
  /** The query that found the entries. */
  searchKey: string;
  entries: readonly FileEntry[];
  selection: Selection;
}

const idsOf = (entries: readonly FileEntry[]) => entries.map(({ id }) => id);

/**
 * Manages the selection in a listing. The selection survives changes by others, survives another `searchKey` as far
 * as its entries remain, and is reset by another `listKey`.
 */
export function useSelection(listKey: string, searchKey: string, entries: readonly FileEntry[], initialCurrent: number | null) {
  const [state, setState] = useState<State>({ listKey, searchKey, entries, selection: { ...EMPTY_SELECTION, current: initialCurrent } });
  let { selection } = state;
  if (state.listKey !== listKey) selection = { ...EMPTY_SELECTION, current: initialCurrent };
  // The results of another search have no previous neighbors.
  else if (state.entries !== entries) selection = reconcileSelection(selection, state.searchKey === searchKey ? idsOf(state.entries) : [], idsOf(entries));
  if (state.listKey !== listKey || state.entries !== entries) setState({ listKey, searchKey, entries, selection });
  const select = (change: (selection: Selection) => Selection) => setState((previous) => ({ ...previous, selection: change(previous.selection) }));
  return { selection, select };
}
