/** Patches of a file's cached comments, also of what is being loaded right now. */
import type { QueryClient } from "@tanstack/react-query";
import { commentKeys } from "./keys.ts";
import type { FileComments } from "./list.ts";

type Change = (list: FileComments) => FileComments;

/** Loads that are under way: what happens meanwhile may be missing in what they bring. */
const loads = new WeakMap<QueryClient, Set<(fileId: number, change: Change) => void>>();

/** Loads a file's comments. Whatever reaches them while it is under way is in it too: nothing that was shown is gone for a moment. */
export async function loadWith(client: QueryClient, fileId: number, load: () => Promise<FileComments>): Promise<FileComments> {
  const underWay = loads.get(client) ?? new Set();
  loads.set(client, underWay);
  const heard: Change[] = [];
  const hear = (of: number, change: Change) => void (of === fileId && heard.push(change));
  underWay.add(hear);
  try {
    const loaded = await load();
    return heard.reduce((list, change) => change(list), loaded);
  } finally {
    underWay.delete(hear);
  }
}

/** A change that returns its argument wakes nobody. */
export function patchComments(client: QueryClient, fileId: number, change: Change): void {
  for (const hear of loads.get(client) ?? []) hear(fileId, change);
  client.setQueryData<FileComments>(commentKeys.file(fileId), (list) => list && change(list));
}
