/** Where the processes of the cluster store files: the one place to exchange it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../server/testing/service-process.ts";

export interface Store {
  /** For display. */
  name: string;
  /** Settings of the processes that use it. */
  environment: Environment;
  /** Returns the data folder of a process, which exists. */
  folderOf(process: string): string;
  close(): Promise<void>;
}

/** All processes share the data folder, as they would on a network file system. */
export async function startStore(dataDir: string): Promise<Store> {
  const folder = join(dataDir, "shared");
  mkdirSync(folder);
  return { name: "a shared folder", environment: {}, folderOf: () => folder, async close() {} };
}
