import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { stopProcess, waitForStart } from "./service-start.ts";

const NEVER = new Promise(() => {});
const run = (code: string) => spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });

test("waits until a process has started and leaves it running", async () => {
  const child = run("console.log('ready'); setTimeout(() => {}, 60_000)");
  await waitForStart(child, once(child.stdout, "data"), 30_000);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  await stopProcess(child, "SIGTERM");
  expect(child.signalCode).toBe("SIGTERM");
});

test("kills a process that does not start in time", async () => {
  const child = run("setTimeout(() => {}, 60_000)");
  await expect(waitForStart(child, NEVER, 100)).rejects.toThrow("The process did not start within 0.1 s");
  expect(child.signalCode).toBe("SIGKILL");
});

test("throws if a process exits before it has started", async () => {
  const child = run("process.exit(3)");
  await expect(waitForStart(child, NEVER, 30_000)).rejects.toThrow("The process did not start: it ended with 3");
});
