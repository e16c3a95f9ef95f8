/** Puts one file of a backup into a storage. */
import { createHash } from "node:crypto";
import type { Storage } from "../../storage/storage.ts";
import { CommandError } from "../command.ts";
import type { BackupStore, StoredObject } from "./backup-store.ts";

async function hasFile(storage: Storage, key: string, { sha256, size }: StoredObject): Promise<boolean> {
  if ((await storage.size(key)) !== size) return false;
  const hash = createHash("sha256");
  for await (const chunk of (await storage.open(key)) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex") === sha256;
}

/** Stores a file under its key, unless it is there and whole. Throws, and leaves nothing under the key, if the backup has other bytes than it recorded. */
export async function storeFile(storage: Storage, store: BackupStore, key: string, object: StoredObject): Promise<void> {
  if ((await storage.size(key)) !== null) {
    if (await hasFile(storage, key, object)) return;
    await storage.remove(key);
  }
  try {
    const { sha256 } = await storage.put(store.openObject(object.sha256), { maxBytes: object.size, expectedBytes: object.size, key });
    if (sha256 === object.sha256) return;
    await storage.remove(key);
  } catch (error) {
    const problem = await store.findProblem(object);
    if (problem === null) throw error;
  }
  throw new CommandError(
    `The backup is damaged: ${store.pathOf(object.sha256)} ${(await store.findProblem(object)) ?? "could not be read"}. The restore is not complete.`,
  );
}
