/** What becomes of bytes that were stored for a transaction that failed. */
import { isUnavailable } from "../../db/engine-errors.ts";
import type { FilesDeps } from "./deps.ts";

/** `error`: how the transaction that was to record these keys has ended. */
export async function removeOrphanBlobs({ storage }: Pick<FilesDeps, "storage">, keys: readonly string[], error: unknown): Promise<void> {
  // When the connection broke at the commit, the rows may be there all the same: rather an orphan than a lost file.
  if (!isUnavailable(error)) await Promise.all(keys.map((key) => storage.remove(key)));
}
