/** The sample studio: it is created in a separate process, because composing music must not block requests. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { getDemo, makeDemo } from "../../../contract/operations/demo.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { record } from "../../http/responses.ts";
import { createDemos, type Demos, type StartDemo } from "./demos.ts";
import { openRun } from "./run.ts";

const WORKER_PATH = join(import.meta.dirname, "..", "..", "cli", "demo", "child.ts");
const CRASHED = "The demo process ended unexpectedly.";

/** Message to the child process, which opens the same data itself. */
export interface SeedRequest {
  config: Config;
  /** Base64. */
  masterKey: string;
  organisationId: number;
  ownerId: number;
  token: string;
}

function createDemoRunner(
  { config, database, masterKey }: { config: Config; database: Database; masterKey: Buffer },
  warn: (error: unknown, message: string) => void,
): { start: StartDemo; stop(): void } {
  const children = new Set<ChildProcess>();
  let stopping = false;
  return {
    start({ organisationId, ownerId, token }) {
      const child = fork(WORKER_PATH, [], {
        execPath: process.execPath,
        execArgv: ["--disable-warning=ExperimentalWarning"],
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      children.add(child);
      let stderrTail = "";
      child.stderr?.on("data", (chunk: Buffer) => (stderrTail = (stderrTail + chunk.toString()).slice(-4_000)));
      child.once("error", (error) => warn(error, "the demo process did not start"));
      child.once("close", (code) => {
        children.delete(child);
        // An intentional stop needs no message; the run can be claimed again once its lease expires.
        if (code === 0 || stopping) return;
        warn(new Error(stderrTail.trim() || `ended with ${code}`), "creating the demo failed");
        // Stores the crash as the failure, unless the process already stored its own.
        void openRun(database, organisationId, token)
          .then((run) => run.fail(CRASHED))
          .catch(() => {});
      });
      const request: SeedRequest = { config, masterKey: masterKey.toString("base64"), organisationId, ownerId, token };
      child.send(request);
    },
    stop() {
      stopping = true;
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

export interface DemoOptions {
  config: Config;
  masterKey: Buffer;
  /** Replaces the separate process that creates the demo (tests). */
  startDemo?: StartDemo | undefined;
}

export function createDemoModule(deps: ModuleDeps, { config, masterKey, startDemo }: DemoOptions): ServiceModule<{ demos: Demos }> {
  const demos = createDemos(deps);
  return {
    services: { demos },
    features: [],
    register({ server, route }) {
      const runner = createDemoRunner({ config, database: deps.database, masterKey }, (error, message) => server.log.error({ err: error }, message));
      server.addHook("onClose", () => runner.stop());
      route(getDemo, async ({ actor }) => record("demo", await demos.status(actor)));
      route(makeDemo, async ({ actor }) => record("demo", await demos.begin(actor, startDemo ?? runner.start)));
      return {};
    },
  };
}
