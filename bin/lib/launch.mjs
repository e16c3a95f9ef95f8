/** From a fresh clone to a running program, in as few steps as are needed. */
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { report } from "./failure.mjs";
import { ensureInstalled } from "./install.mjs";
import { ROOT } from "./paths.mjs";
import { checkPlatform, runModule } from "./runtime.mjs";

/** @typedef {{ module: readonly string[], needsClient?: boolean }} Program its module's path below the root; whether it serves the client */

/**
 * Installs, builds the client where the program needs it, and runs the program.
 * @param {Program} program
 * @param {readonly string[]} args for it
 */
export async function launch({ module, needsClient = false }, args) {
  try {
    checkPlatform(ROOT);
    await ensureInstalled(ROOT);
    if (needsClient) await ensureBuilt(ROOT);
    await runModule(ROOT, join(ROOT, ...module), args);
  } catch (error) {
    report(error);
  }
}
