/** Builds the client into dist/ if its sources have changed. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./child.mjs";
import { toFailure } from "./failure.mjs";
import { withLock } from "./lock.mjs";
import { withProgress } from "./progress.mjs";
import { findNode } from "./runtime.mjs";
import { hasStamp, hashFiles, writeStamp } from "./stamp.mjs";

const SOURCES = ["index.html", "src", "contract", "public", "vite.config.ts", "bin/development/configure-service.ts", "tsconfig.json", "package-lock.json"];
const isSource = (/** @type {string} */ path) => !/\.test\.tsx?$/.test(path);

/**
 * Returns what a build is made of: the sources, and the service for which it is.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export const buildStamp = (root, env) => [hashFiles(root, SOURCES, isSource), env["VITE_SERVICE_URL"]].filter(Boolean).join(" ");

/**
 * Builds if a source or the configured service has changed since the last complete build. Takes milliseconds otherwise.
 * @param {string} root
 */
export async function ensureBuilt(root) {
  const stamp = join(root, "dist", ".built-from");
  const currentStamp = () => buildStamp(root, process.env);
  if (hasStamp(stamp, currentStamp())) return;
  await withLock(root, async (registerPid) => {
    const value = currentStamp();
    if (hasStamp(stamp, value)) return;
    await withProgress("Building the client", () => build(root, value, registerPid));
  });
}

/**
 * Builds next to dist/ and swaps it in as a whole, so that a running service never sees a partial build.
 * @param {string} root
 * @param {string} stamp
 * @param {(pid: number) => void} onStart
 */
async function build(root, stamp, onStart) {
  const [live, fresh, old] = [join(root, "dist"), join(root, "dist.new"), join(root, "dist.old")];
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const { code, output } = await runQuietly(findNode(root), [vite, "build", "--outDir", "dist.new", "--emptyOutDir", "--logLevel", "warn"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" },
    onStart,
    killable: true,
  });
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw toFailure("Building the client", output);
  }
  writeStamp(join(fresh, ".built-from"), stamp);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(live)) renameSync(live, old);
  renameSync(fresh, live);
  rmSync(old, { recursive: true, force: true });
}
