/** What the service does once, shortly after its start: it keeps compiled code for the next start, and returns the memory that only starting needed. */
import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { SECOND } from "./clock.ts";

/** The first requests of a page that waited for the service come before it. */
const SETTLE_MS = SECOND;

/**
 * Collects all garbage and returns the free memory to the system, which V8 does by itself only when memory runs short. Blocks the process for a tenth of a
 * second for every 50 MB in use.
 */
export function releaseMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

export function settleStart(settleMs = SETTLE_MS): void {
  setTimeout(() => {
    // Node would write it when the process ends, but a service often ends by being killed. Without it, types are stripped anew by a module of 20 MB.
    flushCompileCache();
    releaseMemory();
  }, settleMs).unref();
}
