import { useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { reconcileSelection, EMPTY_SELECTION, type Selection } from "../model/selection.ts";

interface State {
  listKey: string;
  /** What the entries were looked for with. */
  searchKey: string;
  entries: readonly FileEntry[];
  selection: Selection;
}

const idsOf = (entries: readonly FileEntry[]) => entries.map(({ id }) => id);

/** What is selected in a listing. It survives what others change, and another `searchKey` as far as it fits; at another `listKey` it begins with nothing. */
export function useSelection(listKey: string, searchKey: string, entries: readonly FileEntry[], initialCurrent: number | null) {
  const [state, setState] = useState<State>({ listKey, searchKey, entries, selection: { ...EMPTY_SELECTION, current: initialCurrent } });
  let { selection } = state;
  if (state.listKey !== listKey) selection = { ...EMPTY_SELECTION, current: initialCurrent };
  // What another wish has found has no neighbors of before.
  else if (state.entries !== entries) selection = reconcileSelection(selection, state.searchKey === searchKey ? idsOf(state.entries) : [], idsOf(entries));
  if (state.listKey !== listKey || state.entries !== entries) setState({ listKey, searchKey, entries, selection });
  const select = (change: (selection: Selection) => Selection) => setState((previous) => ({ ...previous, selection: change(previous.selection) }));
  return { selection, select };
}
