import { useInfiniteQuery } from "@tanstack/react-query";
import type { MessageSearchQuery } from "../../api/message-search.ts";
import { messageSearchQuery } from "./options.ts";

export type { MessageSearchQuery as SearchWish } from "../../api/message-search.ts";

/** What was found in a project's chat, newest first; asks nothing while nothing is wished for. */
export function useMessageSearch(projectId: number, searchQuery: MessageSearchQuery) {
  const asked = Object.keys(searchQuery).length > 0;
  // What was found before stands until the next is there, so that nothing flickers while one types.
  const query = useInfiniteQuery({
    ...messageSearchQuery(projectId, searchQuery),
    enabled: asked,
    placeholderData: (previous) => (asked ? previous : undefined),
  });
  return { ...query, asked, messages: asked ? query.data?.pages.flatMap(({ data }) => data) : undefined };
}
