import { useInfiniteQuery } from "@tanstack/react-query";
import type { MessageSearchQuery } from "../../api/message-search.ts";
import { messageSearchQuery } from "./options.ts";

export type { MessageSearchQuery } from "../../api/message-search.ts";

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
