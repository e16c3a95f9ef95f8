/** Tests that one process serves per folder, also after the first one was killed. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { acquireServingLock } from "./serving-lock.ts";

const folder = mkdtempSync(join(tmpdir(), "talkback-lock-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const MODULE = fileURLToPath(new URL("./serving-lock.ts", import.meta.url));

/** Starts a process that acquires and holds the lock; returns the outcome. */
async function startHolder(): Promise<{ child: ChildProcess; outcome: string }> {
  const program = `const { acquireServingLock } = await import(process.argv[1]); console.log(acquireServingLock(process.argv[2]) ? "taken" : "refused"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, MODULE, folder], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return { child, outcome: String(await new Promise((resolve) => child.stdout?.once("data", resolve))).trim() };
}
const kill = (child: ChildProcess): Promise<void> => new Promise((resolve) => (child.once("exit", () => resolve()), child.kill("SIGKILL")));

it("a second process cannot acquire the lock until the first has released it or was killed", { timeout: 30_000 }, async () => {
  const first = await startHolder();
  expect(first.outcome).toBe("taken");
  const second = await startHolder();
  expect(second.outcome).toBe("refused");
  expect(acquireServingLock(folder)).toBeNull();
  await kill(first.child);
  const release = acquireServingLock(folder);
  expect(release).not.toBeNull();
  const third = await startHolder();
  expect(third.outcome).toBe("refused");
  release?.();
  const fourth = await startHolder();
  expect(fourth.outcome).toBe("taken");
});
