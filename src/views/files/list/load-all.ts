/** Loads a listing to its end for Ctrl+A and End. Loading takes seconds, during which the user may open another listing or select something else. */
import { useEffect, useRef } from "react";
import { t } from "../../../lib/texts/files.ts";
import { MAX_PAGE_SIZE, type useFileList } from "../../../queries/file-lists/file-list-queries.ts";
import { announce } from "../../../ui/announce.ts";
import { useFilesContext } from "../files-context.ts";

type FileList = ReturnType<typeof useFileList>;

export interface ListingState extends Pick<FileList, "isPrevious" | "hasMore" | "moreFailed" | "loadMore"> {
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
export async function loadAll(getState: () => ListingState, afterRender: () => Promise<unknown>): Promise<LoadAllOutcome> {
  const { listKey, selectionRevision } = getState();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { isPrevious, hasMore, moreFailed, loadMore } = getState();
    if (!isPrevious && (!hasMore || moreFailed)) break;
    if (!isPrevious) await loadMore(MAX_PAGE_SIZE);
    await afterRender();
    const state = getState();
    if (state.listKey !== listKey || state.selectionRevision !== selectionRevision) return "superseded";
  }
  const { isPrevious, hasMore } = getState();
  return hasMore || isPrevious ? "incomplete" : "complete";
}

/** Loads the list to its end, which ends early if another listing is shown meanwhile or the user selects something else. */
export function useLoadAll(list: FileList) {
  const { selection } = useFilesContext();
  const latest = useRef({ list, selection });
  latest.current = { list, selection };
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  const loadToEnd = () =>
    loadAll(
      () => ({
        ...latest.current.list,
        listKey: isMounted.current ? latest.current.selection.listKey : null,
        selectionRevision: selection.getRevision(),
      }),
      () => new Promise((resolve) => requestAnimationFrame(resolve)),
    );
  const selectEverything = async () => {
    const outcome = await loadToEnd();
    if (outcome === "superseded") return;
    const { manager, collection } = latest.current.selection;
    manager.selectAll();
    if (outcome === "incomplete") announce(t("partlySelected", { count: collection.size }));
  };
  return { loadAll: loadToEnd, selectEverything };
}
