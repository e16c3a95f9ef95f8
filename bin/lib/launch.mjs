/** From a fresh clone to a running service, in as few steps as are needed. */
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { report } from "./failure.mjs";
import { ensureInstalled } from "./install.mjs";
import { ROOT } from "./paths.mjs";
import { checkPlatform, runModule } from "./runtime.mjs";

/**
 * Installs, builds and starts the service.
 * @param {readonly string[]} args for the service
 */
export async function launch(args) {
  try {
    checkPlatform(ROOT);
    await ensureInstalled(ROOT);
    await ensureBuilt(ROOT);
    await runModule(ROOT, join(ROOT, "server", "main.ts"), args);
  } catch (error) {
    report(error);
  }
}

/**
 * Installs, and starts checks and tests.
 * @param {readonly string[]} args for them
 */
export async function launchTests(args) {
  try {
    checkPlatform(ROOT);
    await ensureInstalled(ROOT);
    await runModule(ROOT, join(ROOT, "bin", "testing", "main.ts"), args);
  } catch (error) {
    report(error);
  }
}
