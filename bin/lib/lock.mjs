/** Locks a checkout so that only one install or build runs at a time, and recovers the lock of a killed process. */
import { closeSync, constants, copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isProcessRunning } from "./child.mjs";

const HEARTBEAT_MS = 2_000;
/** Age at which an untouched lock counts as abandoned if its processes cannot be checked: one of another machine or container, or one without content. */
const ABANDONED_MS = 20_000;

/**
 * Runs `work` while holding the checkout's lock, and waits for the current holder first. `work` registers the child
 * process that it starts. While that child is alive, no other process takes over the lock, even if this process was
 * killed.
 * @template T
 * @param {string} root
 * @param {(name: (pid: number) => void) => Promise<T>} work
 * @param {() => void} [onWait] called once if another process holds the lock; prints a line by default
 * @returns {Promise<T>}
 */
export async function withLock(root, work, onWait = () => console.log("Waiting: another process is installing or building here …")) {
  const path = join(root, ".work-lock");
  for (let hasWaited = false; !tryAcquire(path); hasWaited = true) {
    if (!hasWaited) onWait();
    await pause(250);
  }
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  const release = () => {
    if (isOwn(path)) rmSync(path, { force: true });
  };
  process.on("exit", release);
  try {
    return await work((pid) => replaceContent(path, lockContent(process.pid, pid)));
  } finally {
    clearInterval(heartbeat);
    process.off("exit", release);
    release();
  }
}

/** @param {string} path */
function tryAcquire(path) {
  try {
    const file = openSync(path, "wx");
    writeSync(file, lockContent(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    if (isAbandoned(path)) removeAbandoned(path);
    return false;
  }
}

/**
 * Removes an abandoned lock. Renames it first and checks it again, because another process may have replaced it with a lock of its own
 * since it was found to be abandoned; such a lock is put back.
 * @param {string} path
 */
function removeAbandoned(path) {
  const renamed = `${path}.abandoned-${process.pid}`;
  try {
    renameSync(path, renamed);
    if (!isAbandoned(renamed)) copyFileSync(renamed, path, constants.COPYFILE_EXCL);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
  } finally {
    rmSync(renamed, { force: true });
  }
}

/**
 * Replaces the content at once, so that a process killed meanwhile leaves the old or the new one.
 * @param {string} path
 * @param {string} content
 */
function replaceContent(path, content) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

/** @param {...number} pids */
const lockContent = (...pids) => JSON.stringify({ pids, host: hostname() });

/** @param {string} path */
function isOwn(path) {
  const holder = readHolder(path);
  return holder?.host === hostname() && holder.pids.includes(process.pid);
}

/** @param {string} path */
function isAbandoned(path) {
  const holder = readHolder(path);
  if (holder?.host === hostname()) return !holder.pids.some(isProcessRunning);
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > ABANDONED_MS;
}

/**
 * Returns null if the lock is gone, empty or incomplete: its holder is writing it, or was killed before, or the disk was full.
 * @param {string} path
 * @returns {{ pids: number[]; host: string } | null}
 */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** @param {string} path */
function touch(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The lock file was removed by hand. The work continues.
  }
}
