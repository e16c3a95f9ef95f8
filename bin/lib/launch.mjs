/** Installs, builds and runs a program from any state of the checkout, skipping steps that are up to date. */
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { reportFailure } from "./failure.mjs";
import { ensureInstalled } from "./install.mjs";
import { ROOT } from "./paths.mjs";
import { checkPlatform, runModule } from "./runtime.mjs";

/**
 * @typedef {{ module: readonly string[], needsClient?: boolean, help?: string }} Program module path relative to the root, whether it serves the client, and
 * what `--help` prints; without it, the program prints its own
 */

/**
 * Installs, builds the client if the program needs it, and runs the program. `--help` only prints `help`, if there is one.
 * @param {Program} program
 * @param {readonly string[]} args arguments of the program
 */
export async function launch({ module, needsClient = false, help }, args) {
  if (help !== undefined && args.some((arg) => arg === "--help" || arg === "-h")) return console.log(help);
  try {
    checkPlatform(ROOT);
    await ensureInstalled(ROOT);
    if (needsClient) await ensureBuilt(ROOT);
    await runModule(ROOT, join(ROOT, ...module), args);
  } catch (error) {
    reportFailure(error);
  }
}
