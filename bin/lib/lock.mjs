/** Locks a checkout so that only one install or build runs at a time, and recovers the lock of a killed process. */
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

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
 * @param {() => void} [onWait] called once if another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(root, work, onWait = () => {}) {
  const path = join(root, ".work-lock");
  for (let hasWaited = false; !tryAcquire(path); hasWaited = true) {
    if (!hasWaited) onWait();
    await pause(250);
  }
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS);
  const release = () => rmSync(path, { force: true });
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
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
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
function isAbandoned(path) {
  const holder = readHolder(path);
  if (holder?.host === hostname()) return !holder.pids.some(isAlive);
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

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
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
