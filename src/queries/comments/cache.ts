/** Patches a file's cached comments, including those of loads in flight. */
import type { QueryClient } from "@tanstack/react-query";
import { commentKeys } from "./keys.ts";
import type { FileComments } from "./list.ts";

type Patch = (list: FileComments) => FileComments;

/** Recorders of loads in flight, whose responses may lack concurrent changes. */
const inFlightLoads = new WeakMap<QueryClient, Set<(fileId: number, patch: Patch) => void>>();

/** Loads a file's comments and applies the patches made meanwhile, so that no shown comment disappears for a moment. */
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

/** Patches the cached comments; a patch that returns its argument notifies no observers. */
export function patchComments(client: QueryClient, fileId: number, patch: Patch): void {
  for (const record of inFlightLoads.get(client) ?? []) record(fileId, patch);
  client.setQueryData<FileComments>(commentKeys.file(fileId), (list) => list && patch(list));
}
