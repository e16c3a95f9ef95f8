/** Patches of a file's cached comments, also of what is being loaded right now. */
import type { QueryClient } from "@tanstack/react-query";
import { commentKeys } from "./keys.ts";
import type { FileComments } from "./list.ts";

type Patch = (list: FileComments) => FileComments;

/** Loads that are under way: what happens meanwhile may be missing in what they bring. */
const inFlightLoads = new WeakMap<QueryClient, Set<(fileId: number, patch: Patch) => void>>();

/** Loads a file's comments. Whatever reaches them while it is under way is in it too: nothing that was shown is gone for a moment. */
export async function loadWithPatches(client: QueryClient, fileId: number, load: () => Promise<FileComments>): Promise<FileComments> {
  const recorders = inFlightLoads.get(client) ?? new Set();
  inFlightLoads.set(client, recorders);
  const patches: Patch[] = [];
  const record = (patchedFileId: number, patch: Patch) => void (patchedFileId === fileId && patches.push(patch));
  recorders.add(record);
  try {
    const loaded = await load();
    return patches.reduce((list, patch) => patch(list), loaded);
  } finally {
    recorders.delete(record);
  }
}

/** A change that returns its argument wakes nobody. */
export function patchComments(client: QueryClient, fileId: number, patch: Patch): void {
  for (const record of inFlightLoads.get(client) ?? []) record(fileId, patch);
  client.setQueryData<FileComments>(commentKeys.file(fileId), (list) => list && patch(list));
}
