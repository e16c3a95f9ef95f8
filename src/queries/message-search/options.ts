import { infiniteQueryOptions } from "@tanstack/react-query";
import { searchMessages, type MessageSearchQuery } from "../../api/message-search.ts";
import { messageSearchKeys } from "./keys.ts";

const PAGE_SIZE = 50;
/** Recent results are shown again without a request. */
const STALE_MS = 30_000;

export const messageSearchQuery = (projectId: number, searchQuery: MessageSearchQuery) =>
  infiniteQueryOptions({
    queryKey: [...messageSearchKeys.project(projectId), searchQuery] as const,
    queryFn: ({ pageParam, signal }) => searchMessages(projectId, searchQuery, { cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: STALE_MS,
  });
