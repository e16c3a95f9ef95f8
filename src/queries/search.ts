/** Queries the search across all projects. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { search } from "../../contract/operations/search.ts";
import type { SearchKind } from "../../contract/search-records.ts";
import type { CallInput } from "../api/http.ts";
import { CURSOR_PAGES } from "./operations.ts";

export type SearchQuery = Omit<NonNullable<CallInput<typeof search>["query"]>, "q" | "kind" | "cursor" | "limit"> & { q: string };

/** Results are shown again without a request for this long. */
const STALE_MS = 5_000;
const PAGE_SIZE = 30;

const searchQueries = {
  groups: (query: SearchQuery, limit: number) =>
    queryOptions({
      queryKey: ["search", query, limit] as const,
      queryFn: async ({ signal, meta }) => ({
        q: query.q,
        groups: (await meta!.client.api.data(search, { query: { ...query, limit } }, { signal })).groups,
      }),
      staleTime: STALE_MS,
    }),
  ofKind: (query: SearchQuery, kind: SearchKind) =>
    infiniteQueryOptions({
      queryKey: ["search", query, kind] as const,
      queryFn: async ({ pageParam: cursor, signal, meta }) => {
        const { groups } = await meta!.client.api.data(search, { query: { ...query, kind, cursor, limit: PAGE_SIZE } }, { signal });
        return groups[0] ?? { kind, results: [], next_cursor: null };
      },
      ...CURSOR_PAGES,
      staleTime: STALE_MS,
    }),
};

/** Searches all kinds and returns the first results of each; null sends no request. Earlier results stay until the next ones arrive. */
export const useSearch = (query: SearchQuery | null, limit: number) =>
  useQuery({ ...searchQueries.groups(query ?? { q: "" }, limit), enabled: query !== null, placeholderData: query === null ? undefined : keepPreviousData });

/** Searches one kind, page by page; null sends no request. */
export function useSearchOfKind(query: SearchQuery | null, kind: SearchKind) {
  const result = useInfiniteQuery({
    ...searchQueries.ofKind(query ?? { q: "" }, kind),
    enabled: query !== null,
    // Results of another kind must not stay.
    placeholderData: (previous) => (query !== null && previous?.pages[0]?.kind === kind ? previous : undefined),
  });
  return { ...result, results: query === null ? undefined : result.data?.pages.flatMap(({ results }) => results) };
}
