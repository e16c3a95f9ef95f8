import { useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { keep, NOTHING, type Selection } from "../model/selection.ts";

interface State {
  place: string;
  /** What the entries were looked for with. */
  wish: string;
  entries: readonly FileEntry[];
  selection: Selection;
}

const idsOf = (entries: readonly FileEntry[]) => entries.map(({ id }) => id);

/** What is selected in a listing. It survives what others change, and another `wish` as far as it fits; at another `place` it begins with nothing. */
export function useSelection(place: string, wish: string, entries: readonly FileEntry[], first: number | null) {
  const [state, setState] = useState<State>({ place, wish, entries, selection: { ...NOTHING, current: first } });
  let { selection } = state;
  if (state.place !== place) selection = { ...NOTHING, current: first };
  // What another wish has found has no neighbors of before.
  else if (state.entries !== entries) selection = keep(selection, state.wish === wish ? idsOf(state.entries) : [], idsOf(entries));
  if (state.place !== place || state.entries !== entries) setState({ place, wish, entries, selection });
  const select = (change: (selection: Selection) => Selection) => setState((now) => ({ ...now, selection: change(now.selection) }));
  return { selection, select };
}
