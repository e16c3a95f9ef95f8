/** One install or build at a time in one checkout, also when a process before was killed in the middle. */
import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const HEARTBEAT_MS = 2_000;
/** A lock of another machine or container that was not touched for so long belongs to nobody: its processes cannot be asked. */
const ABANDONED_MS = 20_000;

/**
 * Runs `work` while holding the checkout's lock; waits for another holder first. The work names the child processes that it
 * starts: while one of them lives, nobody takes the lock over, even when this process was killed.
 * @template T
 * @param {string} root
 * @param {(name: (pid: number) => void) => Promise<T>} work
 * @param {() => void} [onWait] called once when somebody else holds it
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
    return await work((pid) => writeFileSync(path, lockContent(process.pid, pid)));
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

/** @param {...number} pids */
const lockContent = (...pids) => JSON.stringify({ pids, host: hostname() });

/** @param {string} path */
function isAbandoned(path) {
  try {
    const { pids, host } = JSON.parse(readFileSync(path, "utf8"));
    return host === hostname() ? !pids.some(isAlive) : Date.now() - statSync(path).mtimeMs > ABANDONED_MS;
  } catch {
    // Gone, or its holder is just writing it.
    return false;
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
    // Somebody removed it by hand: the work goes on.
  }
}
