import { open } from "node:fs/promises";

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  // Windows cannot sync folders; there the rename itself is durable enough.
  await handle.sync().catch(() => {});
  await handle.close();
}
