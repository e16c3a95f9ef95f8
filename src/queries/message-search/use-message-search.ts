import { useInfiniteQuery } from "@tanstack/react-query";
import type { SearchWish } from "../../api/message-search.ts";
import { foundQuery } from "./options.ts";

export type { SearchWish } from "../../api/message-search.ts";

/** What was found in a project's chat, newest first; asks nothing while nothing is wished for. */
export function useMessageSearch(projectId: number, wish: SearchWish) {
  const asked = Object.keys(wish).length > 0;
  // What was found before stands until the next is there, so that nothing flickers while one types.
  const query = useInfiniteQuery({ ...foundQuery(projectId, wish), enabled: asked, placeholderData: (before) => (asked ? before : undefined) });
  return { ...query, asked, messages: asked ? query.data?.pages.flatMap(({ data }) => data) : undefined };
}
