/** Makes the demo in a process of its own: composing music must not keep anybody's request waiting. */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import { openRun } from "./domain/demo/run.ts";
import type { StartDemo } from "./domain/demo/service.ts";

const MAKER = fileURLToPath(new URL("admin/demo/maker.ts", import.meta.url));
const DIED = "The process that made it ended unexpectedly.";

/** What the maker is told; it opens the same data by itself. */
export interface Order {
  config: Config;
  /** Base64. */
  masterKey: string;
  organisationId: number;
  ownerId: number;
  token: string;
}

export function createDemoRoom(
  { config, database, masterKey }: { config: Config; database: Database; masterKey: Buffer },
  warn: (error: unknown, message: string) => void,
): { start: StartDemo; stop(): void } {
  const makers = new Set<ChildProcess>();
  let stopping = false;
  return {
    start({ organisationId, ownerId, token }) {
      const maker = fork(MAKER, [], {
        execPath: process.execPath,
        execArgv: ["--disable-warning=ExperimentalWarning"],
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      makers.add(maker);
      let told = "";
      maker.stderr?.on("data", (chunk: Buffer) => (told = (told + chunk.toString()).slice(-4_000)));
      maker.once("error", (error) => warn(error, "the demo's process did not start"));
      maker.once("close", (code) => {
        makers.delete(maker);
        // Who stopped it knows, and the run is free once its lease has run out.
        if (code === 0 || stopping) return;
        warn(new Error(told.trim() || `ended with ${code}`), "making the demo broke off");
        // Unless it said itself why.
        void openRun(database, organisationId, token)
          .then((run) => run.fail(DIED))
          .catch(() => {});
      });
      const order: Order = { config, masterKey: masterKey.toString("base64"), organisationId, ownerId, token };
      maker.send(order);
    },
    stop() {
      stopping = true;
      for (const maker of makers) maker.kill("SIGKILL");
    },
  };
}
