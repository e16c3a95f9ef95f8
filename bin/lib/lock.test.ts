import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withLock } from "./lock.mjs";

let root = "";
const lockPath = () => join(root, ".work-lock");
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "talkback-lock-"));
});
afterEach(() => rmSync(root, { recursive: true }));

test("runs one holder at a time and calls back when it has to wait", async () => {
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} in`);
    await pause(50);
    order.push(`${name} out`);
  };
  const first = withLock(root, work("a"));
  const second = withLock(root, work("b"), () => order.push("b waits"));
  await Promise.all([first, second]);
  expect(order).toEqual(["a in", "b waits", "a out", "b in", "b out"]);
  expect(existsSync(lockPath())).toBe(false);
});

test("releases the lock when the work fails", async () => {
  await expect(withLock(root, () => Promise.reject(new Error("planted")))).rejects.toThrow("planted");
  expect(existsSync(lockPath())).toBe(false);
});

test("takes over the lock of a process that no longer exists", async () => {
  // No process has this id: Linux ids end at 4194304.
  writeFileSync(lockPath(), JSON.stringify({ pids: [99_999_999], host: hostname() }));
  expect(await withLock(root, async () => "done")).toBe("done");
});

test("leaves a lock that another process acquires while the former one is found to be abandoned", async () => {
  const freshLock = JSON.stringify({ pids: [process.ppid], host: hostname() });
  writeFileSync(lockPath(), JSON.stringify({ pids: [99_999_999], host: hostname() }));
  const kill = vi.spyOn(process, "kill").mockImplementationOnce(() => {
    writeFileSync(lockPath(), freshLock);
    throw Object.assign(new Error("no such process"), { code: "ESRCH" });
  });
  let acquired = false;
  const pending = withLock(root, async () => {
    acquired = true;
  });
  await pause(600);
  kill.mockRestore();
  expect(acquired).toBe(false);
  expect(readFileSync(lockPath(), "utf8")).toBe(freshLock);
  rmSync(lockPath());
  await pending;
  expect(acquired).toBe(true);
  expect(readdirSync(root)).toEqual([]);
});

test("does not remove the lock of another process at the end", async () => {
  const otherLock = JSON.stringify({ pids: [process.ppid], host: hostname() });
  await withLock(root, async () => writeFileSync(lockPath(), otherLock));
  expect(readFileSync(lockPath(), "utf8")).toBe(otherLock);
});

test("does not take over the lock while a child of a killed holder is still running", async () => {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  writeFileSync(lockPath(), JSON.stringify({ pids: [99_999_999, child.pid], host: hostname() }));
  let acquired = false;
  const pending = withLock(root, async () => {
    acquired = true;
  });
  await pause(600);
  expect(acquired).toBe(false);
  child.kill("SIGKILL");
  await pending;
  expect(acquired).toBe(true);
});

test("records registered child processes in the lock file", async () => {
  await withLock(root, async (registerPid) => {
    registerPid(4711);
    expect(JSON.parse(readFileSync(lockPath(), "utf8"))).toEqual({ pids: [process.pid, 4711], host: hostname() });
  });
});

test("takes over a lock from another host that has not been touched for 20 seconds", async () => {
  writeFileSync(lockPath(), JSON.stringify({ pids: [process.pid], host: "another-container" }));
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lockPath(), longAgo, longAgo);
  expect(await withLock(root, async () => "done")).toBe("done");
});

test("takes over an empty lock that was left long ago, but not one that is just being written", async () => {
  writeFileSync(lockPath(), "");
  let hasStarted = false;
  const work = withLock(root, async () => void (hasStarted = true));
  await pause(400);
  expect(hasStarted).toBe(false);
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lockPath(), longAgo, longAgo);
  await work;
  expect(hasStarted).toBe(true);
});
