/** Applies a changed message to cached search results. */
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Message } from "../../../contract/records.ts";
import { messageSearchKeys } from "./keys.ts";

interface SearchPage {
  data: Message[];
}

/** Returns the same pages when none contains an older revision of the message. A deleted message is removed. */
export function patchSearchPages<P extends SearchPage>(pages: readonly P[], message: Message): readonly P[] {
  const isOlder = (existing: Message) => existing.id === message.id && (existing.revision ?? 0) < (message.revision ?? 0);
  if (!pages.some(({ data }) => data.some(isOlder))) return pages;
  return pages.map((page) => ({
    ...page,
    data: page.data.filter((cached) => !isOlder(cached) || !message.deleted).map((cached) => (isOlder(cached) ? message : cached)),
  }));
}

/** Patches the search results of the message's project, and again after a fetch in flight, whose response may be older than the message. */
export function patchSearchResults(client: QueryClient, message: Message): void {
  const queryKey = messageSearchKeys.project(message.chat_id);
  const patch = () =>
    client.setQueriesData<InfiniteData<SearchPage>>({ queryKey }, (results) => {
      if (!results) return results;
      const pages = patchSearchPages(results.pages, message);
      return pages === results.pages ? results : { ...results, pages: [...pages] };
    });
  patch();
  const inFlight = client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  for (const query of inFlight) void query.promise?.catch(() => {}).then(patch);
}
