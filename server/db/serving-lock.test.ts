/** One serving process per folder, also after the first one was killed. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { takeServingLock } from "./serving-lock.ts";

const folder = mkdtempSync(join(tmpdir(), "talkback-lock-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const MODULE = fileURLToPath(new URL("./serving-lock.ts", import.meta.url));

/** A process that takes the lock and holds it; answers what it got. */
async function another(): Promise<{ child: ChildProcess; got: string }> {
  const program = `const { takeServingLock } = await import(process.argv[1]); console.log(takeServingLock(process.argv[2]) ? "taken" : "refused"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, MODULE, folder], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return { child, got: String(await new Promise((resolve) => child.stdout?.once("data", resolve))).trim() };
}
const killed = (child: ChildProcess): Promise<void> => new Promise((resolve) => (child.once("exit", () => resolve()), child.kill("SIGKILL")));

it("a second process is refused until the first is gone, however it went", { timeout: 30_000 }, async () => {
  const first = await another();
  expect(first.got).toBe("taken");
  const second = await another();
  expect(second.got).toBe("refused");
  expect(takeServingLock(folder)).toBeNull();
  await killed(first.child);
  const release = takeServingLock(folder);
  expect(release).not.toBeNull();
  const third = await another();
  expect(third.got).toBe("refused");
  release?.();
  const fourth = await another();
  expect(fourth.got).toBe("taken");
});
