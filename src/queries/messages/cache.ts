/** Patches of the cached messages: every loaded stretch of the project gets them. */
import type { QueryClient } from "@tanstack/react-query";
import type { Message } from "../../../contract/records.ts";
import { advanceCompleteThrough, upsertMessage, type History } from "./history.ts";
import { messageKeys } from "./keys.ts";

type Patch = (history: History) => History;

/** Loads that are under way: what happens meanwhile may be missing in what they bring. */
const inFlightLoads = new WeakMap<QueryClient, Set<(key: readonly unknown[], patch: Patch) => void>>();

/** Loads a stretch. Whatever reaches the project while it is under way is in it too: nothing that was shown is gone for a moment. */
export async function loadWithPatches(client: QueryClient, projectId: number, load: () => Promise<History>): Promise<History> {
  const recorders = inFlightLoads.get(client) ?? new Set();
  inFlightLoads.set(client, recorders);
  const patches: Patch[] = [];
  const record = (key: readonly unknown[], patch: Patch) => void (key.length === 1 || key[1] === projectId ? patches.push(patch) : 0);
  recorders.add(record);
  try {
    const loaded = await load();
    return patches.reduce((history, patch) => patch(history), loaded);
  } finally {
    recorders.delete(record);
  }
}

/** Changes every loaded stretch of a project. A change that returns its argument wakes nobody. */
export function patchHistories(client: QueryClient, projectId: number, patch: Patch): void {
  patchMatching(client, messageKeys.project(projectId), patch);
}

/** Changes every loaded stretch there is. */
export function patchAllHistories(client: QueryClient, patch: Patch): void {
  patchMatching(client, messageKeys.all, patch);
}

function patchMatching(client: QueryClient, queryKey: readonly unknown[], patch: Patch): void {
  for (const record of inFlightLoads.get(client) ?? []) record(queryKey, patch);
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const history = query.state.data as History | undefined;
    if (!history) continue;
    const patched = patch(history);
    if (patched !== history) client.setQueryData(query.queryKey, patched);
  }
}

/** A message as its writer was answered, or as somebody changed it. */
export function upsertCachedMessage(client: QueryClient, message: Message): void {
  patchHistories(client, message.chat_id, (history) => upsertMessage(history, message));
}

/** A message that arrived in its turn: nothing before it is missing. */
export function upsertCachedMessageInOrder(client: QueryClient, message: Message): void {
  patchHistories(client, message.chat_id, (history) => advanceCompleteThrough(upsertMessage(history, message), message.id));
}
