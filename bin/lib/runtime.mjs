/** Selects the Node that runs the service: the current one if it is new enough, otherwise the one that npm installed. */
import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { replaceProcess } from "./child.mjs";
import { Failure } from "./failure.mjs";
import { pinnedNode } from "./paths.mjs";

/** Required version, which runs TypeScript by stripping its types and includes `node:sqlite`. */
const REQUIRED_NODE_MAJOR = 24;

/**
 * Flags of the Node that runs the service, as `npm start`, the container and the unit of systemd have them too. By default, V8 lets the space for new objects
 * grow to 64 MB and more, most of which stays with the process.
 */
export const NODE_FLAGS = ["--max-semi-space-size=8"];

/** @param {string} version */
export const isNewEnough = (version) => Number(version.split(".")[0]) >= REQUIRED_NODE_MAJOR;

/**
 * Throws before anything is installed if no Node that is new enough is available.
 * @param {string} root
 */
export function checkPlatform(root) {
  if (isNewEnough(process.versions.node) || pinnedNode(root)) return;
  throw nodeTooOld(`npm provides no Node ${REQUIRED_NODE_MAJOR} for this platform (${process.platform} ${process.arch})`);
}

/**
 * Returns the path of a Node that is new enough.
 * @param {string} root
 */
export function findNode(root) {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const pinned = pinnedNode(root);
  if (pinned && existsSync(pinned)) return pinned;
  throw nodeTooOld(`the Node ${REQUIRED_NODE_MAJOR} bundled with Talkback does not run on this machine`);
}

/**
 * Runs a module of the project as the program, in this process if its Node is new enough, which saves a process.
 * @param {string} root
 * @param {string} path absolute
 * @param {readonly string[]} args
 */
export async function runModule(root, path, args) {
  const node = findNode(root);
  const cache = join(root, "node_modules", ".cache", "compiled");
  if (node !== process.execPath) return replaceProcess(node, [...NODE_FLAGS, path, ...args], { ...process.env, NODE_COMPILE_CACHE: cache });
  // Halves the module loading time at startup. Has no effect if the folder is not writable.
  module.enableCompileCache(cache);
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href);
}

/** @param {string} reason */
const nodeTooOld = (reason) =>
  new Failure(
    `Talkback needs Node ${REQUIRED_NODE_MAJOR}: ${reason}, and the installed version is ${process.versions.node}.`,
    `Install Node ${REQUIRED_NODE_MAJOR} or newer from https://nodejs.org and try again.`,
  );
