/** Patches of the cached messages: every loaded stretch of the project gets them. */
import type { QueryClient } from "@tanstack/react-query";
import type { Message } from "../../../contract/records.ts";
import { advanceThrough, upsertMessage, type History } from "./history.ts";
import { messageKeys } from "./keys.ts";

type Change = (history: History) => History;

/** Loads that are under way: what happens meanwhile may be missing in what they bring. */
const loads = new WeakMap<QueryClient, Set<(key: readonly unknown[], change: Change) => void>>();

/** Loads a stretch. Whatever reaches the project while it is under way is in it too: nothing that was shown is gone for a moment. */
export async function loadWith(client: QueryClient, projectId: number, load: () => Promise<History>): Promise<History> {
  const underWay = loads.get(client) ?? new Set();
  loads.set(client, underWay);
  const heard: Change[] = [];
  const hear = (key: readonly unknown[], change: Change) => void (key.length === 1 || key[1] === projectId ? heard.push(change) : 0);
  underWay.add(hear);
  try {
    const loaded = await load();
    return heard.reduce((history, change) => change(history), loaded);
  } finally {
    underWay.delete(hear);
  }
}

/** Changes every loaded stretch of a project. A change that returns its argument wakes nobody. */
export function patchHistories(client: QueryClient, projectId: number, change: Change): void {
  patchUnder(client, messageKeys.project(projectId), change);
}

/** Changes every loaded stretch there is. */
export function patchAllHistories(client: QueryClient, change: Change): void {
  patchUnder(client, messageKeys.all, change);
}

function patchUnder(client: QueryClient, queryKey: readonly unknown[], change: Change): void {
  for (const hear of loads.get(client) ?? []) hear(queryKey, change);
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const history = query.state.data as History | undefined;
    if (!history) continue;
    const changed = change(history);
    if (changed !== history) client.setQueryData(query.queryKey, changed);
  }
}

/** A message as its writer was answered, or as somebody changed it. */
export function putMessage(client: QueryClient, message: Message): void {
  patchHistories(client, message.chat_id, (history) => upsertMessage(history, message));
}

/** A message that arrived in its turn: nothing before it is missing. */
export function putMessageInTurn(client: QueryClient, message: Message): void {
  patchHistories(client, message.chat_id, (history) => advanceThrough(upsertMessage(history, message), message.id));
}
