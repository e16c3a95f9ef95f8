/** The queries of a project's tree: its folders, listings of them, and what occurs in its files; kept current by the live channel. */
import { queryOptions } from "@tanstack/react-query";
import { getFileFacets, listFiles, listFolders, type FilesQuery } from "../../api/file-lists.ts";
import { boundsOf } from "./fits.ts";
import { fileListKeys } from "./keys.ts";
import { loadWithNews } from "./loads.ts";
import { appendPage, toListing, type Listing } from "./listing.ts";
import { isFiltered, type Wish } from "./wish.ts";

/** Enough for any view; what is further down comes with it in sight. */
const FIRST_PAGE = 100;
/** The service gives no more at once. */
export const LARGEST_PAGE = 500;

/** Between two looks while the live channel is away, in milliseconds. */
const LOOK_AGAIN_MS = 15_000;

/** How often what is shown is asked for again; a long listing, which takes many pages, more seldom. */
export const lookAgain = (isLive: boolean, loaded = 0): number | false => (isLive ? false : LOOK_AGAIN_MS * Math.max(1, Math.ceil(loaded / LARGEST_PAGE)));

/** What the service is asked for. */
export function queryOf(wish: Wish): FilesQuery {
  const { from, to } = boundsOf(wish);
  return {
    folder_id: String(wish.folderId),
    deep: isFiltered(wish) ? "true" : undefined,
    q: wish.q || undefined,
    kind: wish.kind ?? undefined,
    status_id: wish.status.join(",") || undefined,
    bpm_min: wish.bpmMin ?? undefined,
    bpm_max: wish.bpmMax ?? undefined,
    key: wish.key ?? undefined,
    tag: wish.tag ?? undefined,
    uploader: wish.uploader ?? undefined,
    from: from?.toISOString(),
    to: to?.toISOString(),
    sort: wish.sort,
    order: wish.order,
  };
}

export const fileListQueries = {
  /** All folders of the project; the root is the one without a parent. */
  folders: (projectId: number) =>
    queryOptions({
      queryKey: fileListKeys.folders(projectId),
      queryFn: ({ client, signal }) => loadWithNews(client, fileListKeys.folders(projectId), () => listFolders(projectId, { signal })),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** As much of it as was loaded before, at least its first page. */
  list: (projectId: number, wish: Wish) =>
    queryOptions({
      queryKey: fileListKeys.list(projectId, wish),
      queryFn: ({ client, signal }) => {
        const key = fileListKeys.list(projectId, wish);
        const loaded = client.getQueryData<Listing>(key)?.entries.length ?? 0;
        return loadWithNews(client, key, async () => {
          const limit = Math.min(LARGEST_PAGE, Math.max(FIRST_PAGE, loaded));
          let listing = toListing(await listFiles(projectId, { ...queryOf(wish), limit }, { signal }));
          while (listing.next !== null && listing.entries.length < loaded) {
            listing = appendPage(listing, await listFiles(projectId, { ...queryOf(wish), cursor: listing.next, limit }, { signal }));
          }
          return listing;
        });
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
    }),
  facets: (projectId: number) =>
    queryOptions({ queryKey: fileListKeys.facets(projectId), queryFn: ({ signal }) => getFileFacets(projectId, { signal }), staleTime: 10_000 }),
};
