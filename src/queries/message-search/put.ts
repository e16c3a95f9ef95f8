/** A found message as it stands now. */
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Message } from "../../../contract/records.ts";
import { renew } from "../renew.ts";
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

/** Patches what was found in the message's project. An answer that is under way may be older than the message and would undo the patch: it is fetched again. */
export function putFound(client: QueryClient, message: Message): void {
  const queryKey = foundKeys.project(message.chat_id);
  client.setQueriesData<InfiniteData<FoundPage>>({ queryKey }, (found) => {
    if (!found) return found;
    const pages = withFound(found.pages, message);
    return pages === found.pages ? found : { ...found, pages: [...pages] };
  });
  if (client.isFetching({ queryKey }) > 0) renew(client, queryKey);
}
