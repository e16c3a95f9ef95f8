/** Loads a listing to its end for Ctrl+A and End. Loading takes seconds, during which the user may open another listing or select something else. */
import type { useFileList } from "../../../queries/file-lists/use-file-list.ts";

export interface ListingState extends Pick<ReturnType<typeof useFileList>, "isPrevious" | "hasMore" | "moreFailed" | "loadMore"> {
  /** Identifies the folder and its filter. Null once the listing is unmounted. */
  listKey: string | null;
  /** Increases when the user selects something else. */
  selectionRevision: number;
}

/** `superseded`: another listing is shown by now, or the user has selected something else. `incomplete`: not everything could be loaded. */
export type LoadAllOutcome = "complete" | "incomplete" | "superseded";

/** More rounds than any folder needs, as a limit for rounds that load nothing. */
const MAX_ROUNDS = 1_000;

/** `getState` returns the current state. Each page is rendered (`afterRender`) before the next one is requested. */
export async function loadAll(getState: () => ListingState, afterRender: () => Promise<unknown>, limit: number): Promise<LoadAllOutcome> {
  const { listKey, selectionRevision } = getState();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { isPrevious, hasMore, moreFailed, loadMore } = getState();
    if (!isPrevious && (!hasMore || moreFailed)) break;
    if (!isPrevious) await loadMore(limit);
    await afterRender();
    const state = getState();
    if (state.listKey !== listKey || state.selectionRevision !== selectionRevision) return "superseded";
  }
  const { isPrevious, hasMore } = getState();
  return hasMore || isPrevious ? "incomplete" : "complete";
}
