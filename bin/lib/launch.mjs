/** Installs, builds and runs a program from any state of the checkout, skipping steps that are up to date. */
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { reportFailure } from "./failure.mjs";
import { ensureInstalled } from "./install.mjs";
import { ROOT } from "./paths.mjs";
import { checkPlatform, runModule } from "./runtime.mjs";

/** @typedef {{ module: readonly string[], needsClient?: boolean }} Program module path relative to the root, and whether it serves the client */

/**
 * Installs, builds the client if the program needs it, and runs the program.
 * @param {Program} program
 * @param {readonly string[]} args arguments of the program
 */
export async function launch({ module, needsClient = false }, args) {
  try {
    checkPlatform(ROOT);
    await ensureInstalled(ROOT);
    if (needsClient) await ensureBuilt(ROOT);
    await runModule(ROOT, join(ROOT, ...module), args);
  } catch (error) {
    reportFailure(error);
  }
}
