/** Applies a changed message to cached search results. */
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Message } from "../../../contract/records.ts";
import { foundKeys } from "./keys.ts";

interface FoundPage {
  data: Message[];
}

/** The same pages where the message is not among them or older than what is known. A deleted one goes. */
export function withFound<P extends FoundPage>(pages: readonly P[], message: Message): readonly P[] {
  const isOlder = (known: Message) => known.id === message.id && (known.revision ?? 0) < (message.revision ?? 0);
  if (!pages.some(({ data }) => data.some(isOlder))) return pages;
  return pages.map((page) => ({ ...page, data: page.data.filter((one) => !isOlder(one) || !message.deleted).map((one) => (isOlder(one) ? message : one)) }));
}

/** Patches the search results of the message's project. An answer in flight may be older than the message, so its result is patched once more. */
export function putFound(client: QueryClient, message: Message): void {
  const queryKey = foundKeys.project(message.chat_id);
  const patch = () =>
    client.setQueriesData<InfiniteData<FoundPage>>({ queryKey }, (found) => {
      if (!found) return found;
      const pages = withFound(found.pages, message);
      return pages === found.pages ? found : { ...found, pages: [...pages] };
    });
  patch();
  const inFlight = client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  for (const query of inFlight) void query.promise?.catch(() => {}).then(patch);
}
