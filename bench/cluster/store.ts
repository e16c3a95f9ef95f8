/** Where the processes of the cluster store files: the one place to exchange it. */
import { mkdirSync } from "node:fs";
import type { Environment } from "../../server/testing/service-process.ts";

export interface Store {
  /** For display. */
  name: string;
  /** Settings of the processes that use it. */
  environment: Environment;
  close(): Promise<void>;
}

/** All processes share the data folder, as they would on a network file system. */
export async function startStore(dataDir: string): Promise<Store> {
  mkdirSync(dataDir, { recursive: true });
  return { name: "a shared folder", environment: {}, async close() {} };
}
