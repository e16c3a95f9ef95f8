import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { searchMessages } from "../../../contract/operations/messages.ts";
import type { CallInput } from "../../api/http.ts";
import { CURSOR_PAGES } from "../operations.ts";
import { messageSearchKeys } from "./cache-updates.ts";

export type MessageSearchQuery = Omit<NonNullable<CallInput<typeof searchMessages>["query"]>, "cursor" | "limit">;

const PAGE_SIZE = 50;
/** Recent results are shown again without a request. */
const STALE_MS = 30_000;

const messageSearchQuery = (projectId: number, searchQuery: MessageSearchQuery) =>
  infiniteQueryOptions({
    queryKey: [...messageSearchKeys.project(projectId), searchQuery] as const,
    queryFn: ({ pageParam: cursor, signal, meta }) =>
      meta!.client.api.call(searchMessages, { params: { project_id: projectId }, query: { ...searchQuery, cursor, limit: PAGE_SIZE } }, { signal }),
    ...CURSOR_PAGES,
    staleTime: STALE_MS,
  });

/** Searches a project's chat, newest first; sends no request for an empty query. */
export function useMessageSearch(projectId: number, searchQuery: MessageSearchQuery) {
  const hasQuery = Object.keys(searchQuery).length > 0;
  // The previous results stay until the next ones arrive, so that typing causes no flicker.
  const query = useInfiniteQuery({
    ...messageSearchQuery(projectId, searchQuery),
    enabled: hasQuery,
    placeholderData: (previous) => (hasQuery ? previous : undefined),
  });
  return { ...query, hasQuery, messages: hasQuery ? query.data?.pages.flatMap(({ data }) => data) : undefined };
}
