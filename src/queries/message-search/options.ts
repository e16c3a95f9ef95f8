import { infiniteQueryOptions } from "@tanstack/react-query";
import { searchMessages, type SearchWish } from "../../api/message-search.ts";
import { foundKeys } from "./keys.ts";

const PAGE_SIZE = 50;
/** What was found a moment ago is shown again without asking. */
const FRESH_MS = 30_000;

export const foundQuery = (projectId: number, wish: SearchWish) =>
  infiniteQueryOptions({
    queryKey: [...foundKeys.project(projectId), wish] as const,
    queryFn: ({ pageParam, signal }) => searchMessages(projectId, wish, { cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: FRESH_MS,
  });
