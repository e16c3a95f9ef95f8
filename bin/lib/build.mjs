/** Builds the client into dist/ if its sources have changed. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./child.mjs";
import { toFailure } from "./failure.mjs";
import { withLock } from "./lock.mjs";
import { withProgress } from "./progress.mjs";
import { findNode } from "./runtime.mjs";
import { hasStamp, hashFiles, writeStamp } from "./stamp.mjs";

const SOURCES = ["index.html", "src", "contract", "public", "vite.config.ts", "tsconfig.json", "package-lock.json"];
const isSource = (/** @type {string} */ path) => !/\.test\.tsx?$/.test(path);

/**
 * Builds if a source has changed since the last complete build. Takes milliseconds otherwise.
 * @param {string} root
 */
export async function ensureBuilt(root) {
  const stamp = join(root, "dist", ".built-from");
  const currentHash = () => hashFiles(root, SOURCES, isSource);
  if (hasStamp(stamp, currentHash())) return;
  await withLock(root, async (registerPid) => {
    const hash = currentHash();
    if (hasStamp(stamp, hash)) return;
    await withProgress("Building the client", () => build(root, hash, registerPid));
  });
}

/**
 * Builds next to dist/ and swaps it in as a whole, so that a running service never sees a partial build.
 * @param {string} root
 * @param {string} hash
 * @param {(pid: number) => void} onStart
 */
async function build(root, hash, onStart) {
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
  writeStamp(join(fresh, ".built-from"), hash);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(live)) renameSync(live, old);
  renameSync(fresh, live);
  rmSync(old, { recursive: true, force: true });
}
