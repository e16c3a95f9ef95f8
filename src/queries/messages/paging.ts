/** Extends a window in both directions with pages that still adjoin its ends. */
import type { QueryClient } from "@tanstack/react-query";
import { appendPage, prependPage, type Anchor, type History } from "./history.ts";
import { messageKeys } from "./keys.ts";
import { fetchPage } from "./options.ts";

/** Adds the page before the first loaded message. */
export async function loadOlderPage(client: QueryClient, projectId: number, anchor: Anchor): Promise<void> {
  const key = messageKeys.history(projectId, anchor);
  const firstId = client.getQueryData<History>(key)?.messages[0]?.id;
  if (firstId === undefined) return;
  const response = await fetchPage(client, projectId, { before_id: firstId });
  // A window that was trimmed meanwhile begins elsewhere, so the page would not adjoin.
  client.setQueryData<History>(key, (history) => (history?.messages[0]?.id === firstId ? prependPage(history, response) : history));
}

/** Adds the page after the last loaded message. */
export async function loadNewerPage(client: QueryClient, projectId: number, anchor: Anchor): Promise<void> {
  const key = messageKeys.history(projectId, anchor);
  const lastId = client.getQueryData<History>(key)?.messages.at(-1)?.id;
  if (lastId === undefined) return;
  const response = await fetchPage(client, projectId, { after_id: lastId });
  client.setQueryData<History>(key, (history) => (history?.messages.at(-1)?.id === lastId ? appendPage(history, response) : history));
}
