/** Removes blobs stored for a transaction that failed. */
import { isUnavailable } from "../../db/engine-errors.ts";
import type { FilesDeps } from "./deps.ts";

/** `error`: the error that ended the transaction meant to record these keys. */
export async function removeOrphanBlobs({ storage }: Pick<FilesDeps, "storage">, keys: readonly string[], error: unknown): Promise<void> {
  // If the connection broke at the commit, the rows may exist nevertheless, and an orphan blob is better than a lost file.
  if (!isUnavailable(error)) await Promise.all(keys.map((key) => storage.remove(key)));
}
