/** The demo: its status, and its creation and removal in the background of a running service. */
import type { FastifyInstance } from "fastify";
import { getDemo, createDemo as createDemoOperation, removeDemo } from "../../../contract/operations/demo.ts";
import type { Config } from "../../config.ts";
import type { ServiceModule } from "../../http/module.ts";
import { single } from "../../http/responses.ts";
import type { OpenApp } from "./create-demo.ts";
import { createDemos, type Demos, type StartDemo } from "./demos.ts";
import { createDemoRemoval, type DemoRemoval, type DemoRemovalDeps } from "./remove-demo.ts";

export interface DemoOptions {
  config: Config;
  masterKey: Buffer;
  openApp: OpenApp;
  /** Replaces the creation in the background (tests). */
  startDemo?: StartDemo | undefined;
}

export function createDemoModule(deps: DemoRemovalDeps, options: DemoOptions): ServiceModule<{ demos: Demos; demoRemoval: DemoRemoval }> {
  const demoRemoval = createDemoRemoval(deps);
  const demos = createDemos(deps, demoRemoval);
  return {
    services: { demos, demoRemoval },
    features: ["demo"],
    register({ server, route }) {
      const start = options.startDemo ?? createBackgroundStart(server, deps, options);
      route(getDemo, async ({ actor }) => single("demo", await demos.status(actor)));
      route(createDemoOperation, async ({ actor }) => single("demo", await demos.begin(actor, start)));
      route(removeDemo, async ({ actor }) => single("demo", await demos.remove(actor)));
      return {};
    },
  };
}

/** Returns a function that creates the demo in the background. A service that stops ends the run, which can be resumed once its lease expires. */
function createBackgroundStart(server: FastifyInstance, { database }: DemoRemovalDeps, { config, masterKey, openApp }: DemoOptions): StartDemo {
  const stopping = new AbortController();
  const runs = new Set<Promise<void>>();
  server.addHook("onClose", async () => {
    stopping.abort();
    await Promise.all(runs);
  });
  return (claim) => {
    // Imported on demand, because it loads the decoder.
    const run = import("./create-demo.ts")
      .then(({ createDemo }) => createDemo({ ...claim, config, database, masterKey, openApp, signal: stopping.signal, processedBy: "service" }))
      .then(() => undefined)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) server.log.error({ err: error }, "creating the demo failed");
      })
      .finally(() => runs.delete(run));
    runs.add(run);
  };
}
