/** Makes a stretch longer in both directions: pages are asked for from its ends and joined where they still fit. */
import type { QueryClient } from "@tanstack/react-query";
import { appendPage, prependPage, type Anchor, type History } from "./history.ts";
import { messageKeys } from "./keys.ts";
import { fetchPage } from "./options.ts";

/** Adds the page before the first loaded message. */
export async function addOlder(client: QueryClient, projectId: number, anchor: Anchor): Promise<void> {
  const key = messageKeys.history(projectId, anchor);
  const before = client.getQueryData<History>(key)?.messages[0]?.id;
  if (before === undefined) return;
  const answer = await fetchPage(client, projectId, { before_id: before });
  // A stretch that was cut meanwhile begins elsewhere: the page would not join.
  client.setQueryData<History>(key, (history) => (history?.messages[0]?.id === before ? prependPage(history, answer) : history));
}

/** Adds the page behind the last loaded message. */
export async function addNewer(client: QueryClient, projectId: number, anchor: Anchor): Promise<void> {
  const key = messageKeys.history(projectId, anchor);
  const after = client.getQueryData<History>(key)?.messages.at(-1)?.id;
  if (after === undefined) return;
  const answer = await fetchPage(client, projectId, { after_id: after });
  client.setQueryData<History>(key, (history) => (history?.messages.at(-1)?.id === after ? appendPage(history, answer) : history));
}
