import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import { listFiles } from "../../api/file-lists.ts";
import { useConnection } from "../live/connection.ts";
import { appendPage, type Listing } from "./listing.ts";
import { fileListKeys } from "./keys.ts";
import { loadWithNews } from "./loads.ts";
import { fileListQueries, LARGEST_PAGE, lookAgain, queryOf } from "./options.ts";
import type { Wish } from "./wish.ts";
import "./put.ts";

const NONE: readonly FileEntry[] = [];

/** A listing and the way to have more of it; null: not known yet of which folder. What was shown before stays until the next is there, within the same folder. */
export function useFileList(projectId: number, wish: Wish | null) {
  const client = useQueryClient();
  const isLive = useConnection().state === "live";
  const shownFolder = useRef<number | null>(null);
  const query = useQuery({
    ...fileListQueries.list(projectId, wish ?? NOWHERE),
    ...(wish ? {} : { queryFn: skipToken }),
    refetchInterval: ({ state }) => lookAgain(isLive, state.data?.entries.length),
    placeholderData: wish && shownFolder.current === wish.folderId ? keepPreviousData : undefined,
  });
  shownFolder.current = wish?.folderId ?? null;

  const more = useMutation({
    mutationFn: async ({ wish: of, limit }: { wish: Wish; limit: number }) => {
      const key = fileListKeys.list(projectId, of);
      const before = client.getQueryData<Listing>(key);
      if (!before || before.next === null) return;
      const { next } = before;
      const grown = await loadWithNews(client, key, async () => {
        const page = await listFiles(projectId, { ...queryOf(of), cursor: next, limit });
        const now = client.getQueryData<Listing>(key);
        // Loaded anew meanwhile: the page would leave a gap.
        return now && now.next === next ? appendPage(now, page) : (now ?? before);
      });
      client.setQueryData(key, grown);
    },
    retry: 1,
  });
  const { mutateAsync, isPending } = more;
  const busy = useRef(isPending);
  busy.current = isPending;

  /** Another page of up to `limit`; nothing where one is on its way, or there is none. */
  const loadMore = useCallback(
    async (limit: number) => {
      if (!wish || busy.current || client.getQueryData<Listing>(fileListKeys.list(projectId, wish))?.next === null) return;
      busy.current = true;
      await mutateAsync({ wish, limit: Math.min(limit, LARGEST_PAGE) }).catch(() => undefined);
    },
    [client, projectId, wish, mutateAsync],
  );
  const entries = query.data?.entries ?? NONE;
  return {
    entries,
    isPending: query.isPending,
    /** These are of what was looked for before. */
    isPrevious: query.isPlaceholderData,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    hasMore: query.data !== undefined && query.data.next !== null,
    moreFailed: more.isError,
    loadMore,
  };
}

const NOWHERE = { folderId: 0 } as Wish;
