/** Loading a listing to its end, for Ctrl+A and End: it takes seconds, and meanwhile something else may be looked at. */

export interface ListingState {
  /** What is looked at: which folder, and what in it. Null once the listing is not shown any more. */
  listKey: string | null;
  /** What is shown is still of the place before. */
  isPrevious: boolean;
  hasMore: boolean;
  moreFailed: boolean;
  loadMore(limit: number): Promise<void>;
}

/** `left`: it is another listing by now. `part`: not all of it could be loaded. */
export type Outcome = "all" | "part" | "left";

/** More than any folder holds, for rounds in which nothing comes. */
const MAX_ROUNDS = 1_000;

/** `getState` tells how it stands; each page is shown (`afterRender`) before the next one is asked for. */
export async function loadAll(getState: () => ListingState, afterRender: () => Promise<unknown>, limit: number): Promise<Outcome> {
  const { listKey } = getState();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { isPrevious, hasMore, moreFailed, loadMore } = getState();
    if (!isPrevious && (!hasMore || moreFailed)) break;
    if (!isPrevious) await loadMore(limit);
    await afterRender();
    if (getState().listKey !== listKey) return "left";
  }
  const { isPrevious, hasMore } = getState();
  return hasMore || isPrevious ? "part" : "all";
}
