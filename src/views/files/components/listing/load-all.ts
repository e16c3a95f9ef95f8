/** Loading a listing to its end, for Ctrl+A and End: it takes seconds, and meanwhile something else may be looked at. */

export interface Loaded {
  /** What is looked at: which folder, and what in it. Null once the listing is not shown any more. */
  place: string | null;
  /** What is shown is still of the place before. */
  isPrevious: boolean;
  hasMore: boolean;
  moreFailed: boolean;
  loadMore(limit: number): Promise<void>;
}

/** `left`: it is another listing by now. `part`: not all of it could be loaded. */
export type Outcome = "all" | "part" | "left";

/** More than any folder holds, for rounds in which nothing comes. */
const MOST_ROUNDS = 1_000;

/** `look` tells how it stands; each page is shown (`drawn`) before the next one is asked for. */
export async function loadAll(look: () => Loaded, drawn: () => Promise<unknown>, limit: number): Promise<Outcome> {
  const { place } = look();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { isPrevious, hasMore, moreFailed, loadMore } = look();
    if (!isPrevious && (!hasMore || moreFailed)) break;
    if (!isPrevious) await loadMore(limit);
    await drawn();
    if (look().place !== place) return "left";
  }
  const { isPrevious, hasMore } = look();
  return hasMore || isPrevious ? "part" : "all";
}
