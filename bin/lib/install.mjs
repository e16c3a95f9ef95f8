/** Installs the packages of package-lock.json if node_modules does not match it. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { runQuietly } from "./child.mjs";
import { Failure, toFailure } from "./failure.mjs";
import { withLock } from "./lock.mjs";
import { pinnedNode } from "./paths.mjs";
import { withProgress } from "./progress.mjs";
import { findNode } from "./runtime.mjs";
import { hasStamp, hashFiles, writeStamp } from "./stamp.mjs";

/**
 * Installs if the lockfile has changed since the last complete install here. Takes milliseconds otherwise.
 * @param {string} root
 */
export async function ensureInstalled(root) {
  const stamp = join(root, "node_modules", ".talkback-installed");
  const currentStamp = () => `${hashFiles(root, ["package-lock.json"])} ${process.platform}-${process.arch}`;
  if (hasStamp(stamp, currentStamp())) return;
  await withLock(root, async (registerPid) => {
    const stampValue = currentStamp();
    if (hasStamp(stamp, stampValue)) return;
    if (!isInstalledByNpm(root)) {
      rmSync(stamp, { force: true });
      await withProgress(`Installing ${countPackages(root)} packages (only once, about a minute)`, () => install(root, registerPid));
    }
    writeStamp(stamp, stampValue);
  });
}

/**
 * @param {string} root
 * @param {(pid: number) => void} onStart
 */
async function install(root, onStart) {
  const { node, npm, env } = npmCommand(root, process);
  // Windows cannot delete a running program, which `npm ci` would do.
  const subcommand = process.platform === "win32" && process.execPath.startsWith(join(root, "node_modules")) ? "install" : "ci";
  // Warnings are not shown, but npm reports a full disk only as a warning.
  const args = [
    subcommand,
    // No package needs its install script. This holds without .npmrc too, and for npm 10, which ignores "allowScripts".
    "--ignore-scripts",
    "--loglevel=warn",
    "--no-progress",
    "--no-audit",
    "--no-fund",
    "--fetch-retry-mintimeout=2000",
    "--fetch-retry-maxtimeout=10000",
    "--include=dev",
    "--include=optional",
  ];
  const { code, output } = await runQuietly(node, [...npm, ...args], { cwd: root, env, onStart, killable: true });
  if (code !== 0 || /TAR_ENTRY_ERROR ENOSPC/.test(output)) {
    rmSync(join(root, "node_modules", ".package-lock.json"), { force: true });
    throw toFailure("Installing", output.replace(/^npm warn (EBADENGINE|deprecated|Unknown).*\n/gm, ""));
  }
  const missing = missingPackages(root);
  if (missing.length > 0)
    throw new Failure(`Installing finished, but ${missing.length} packages are missing, such as ${missing[0]}.`, "Run npm ci and check its output.");
  await removeBrokenPinnedNode(root);
  findNode(root);
}

/**
 * Returns how to run the npm that started this process. Its Node must not be the one inside node_modules, because
 * installing deletes that.
 * @param {string} root
 * @param {Pick<NodeJS.Process, "env" | "execPath" | "platform">} from
 * @returns {{ node: string, npm: string[], env: NodeJS.ProcessEnv }}
 */
export function npmCommand(root, { env, execPath, platform }) {
  const modules = join(root, "node_modules") + sep;
  const callingNpm = env["npm_execpath"] ?? "";
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder && !`${folder}${sep}`.startsWith(modules));
  const cleanEnv = { ...env, PATH: folders.join(delimiter) };
  const isWindows = platform === "win32";
  const nodeCandidates = [env["npm_node_execpath"] ?? "", execPath, ...folders.map((folder) => join(folder, isWindows ? "node.exe" : "node"))];
  const node = nodeCandidates.find((path) => path && !path.startsWith(modules) && existsSync(path)) ?? execPath;
  if (/npm-cli\.[cm]?js$/.test(callingNpm)) return { node, npm: [callingNpm], env: cleanEnv };
  // Without npm as the caller, this finds its script beside Node on Windows and one folder up elsewhere.
  const npmCandidates = [
    join(node, "..", "node_modules", "npm", "bin", "npm-cli.js"),
    join(node, "..", "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const npmPath = npmCandidates.find((path) => existsSync(path));
  if (npmPath) return { node, npm: [npmPath], env: cleanEnv };
  if (isWindows) throw new Failure("npm was not found.", "Start with npm start.");
  return { node: "npm", npm: [], env: cleanEnv };
}

/** @typedef {Record<string, { optional?: boolean, link?: boolean, integrity?: string }>} LockedPackages */

/**
 * @param {string} root
 * @returns {LockedPackages}
 */
function lockedPackages(root) {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
}

/**
 * Returns whether npm was already run here with the same result, for example by hand. npm writes its own package list last.
 * @param {string} root
 */
export function isInstalledByNpm(root) {
  try {
    /** @type {LockedPackages} */
    const installedPackages = JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8")).packages;
    const lockedEntries = Object.entries(lockedPackages(root)).filter(([path]) => path !== "");
    return (
      lockedEntries.every(([path, { optional, integrity }]) => (installedPackages[path] ? installedPackages[path].integrity === integrity : optional)) &&
      missingPackages(root).length === 0 &&
      findNode(root) !== ""
    );
  } catch {
    return false;
  }
}

/** @param {string} root */
function countPackages(root) {
  return Object.entries(lockedPackages(root)).filter(([path, { optional }]) => path !== "" && !optional).length;
}

/** @param {string} root */
function missingPackages(root) {
  return Object.entries(lockedPackages(root))
    .filter(([path, { optional, link }]) => path !== "" && !optional && !link && !existsSync(join(root, path, "package.json")))
    .map(([path]) => path);
}

/**
 * Removes the pinned Node if it does not run, because it needs glibc and would otherwise come first on npm's PATH.
 * @param {string} root
 */
async function removeBrokenPinnedNode(root) {
  const pinned = pinnedNode(root);
  if (!pinned || !existsSync(pinned)) return;
  const { code } = await runQuietly(pinned, ["--version"]);
  if (code === 0) return;
  for (const name of ["node", "node.cmd", "node.ps1"]) rmSync(join(root, "node_modules", ".bin", name), { force: true });
  rmSync(pinned, { force: true });
}
