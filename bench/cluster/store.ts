/** The S3-compatible store of the cluster. Each process has a data folder of its own, so that nothing is shared by disk. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startS3Server } from "../../server/testing/s3-server.ts";
import type { Environment } from "../../server/testing/service-process.ts";

/** As real stores require. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

export interface Store {
  /** For display. */
  name: string;
  /** Settings of the processes that use it. */
  environment: Environment;
  /** Returns the data folder of a process, which exists. */
  folderOf(process: string): string;
  close(): Promise<void>;
}

/** Its objects are in `dataDir`, whose owner removes it. */
export async function startStore(dataDir: string): Promise<Store> {
  const server = await startS3Server({ directory: join(dataDir, "objects"), minPartBytes: MIN_PART_BYTES });
  return {
    name: "an S3-compatible store, and each process has a disk of its own",
    environment: server.environment,
    folderOf(process) {
      const folder = join(dataDir, process.replaceAll(" ", "-"));
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    close: () => server.close(),
  };
}
