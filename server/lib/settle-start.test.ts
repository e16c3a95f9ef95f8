import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { releaseMemory } from "./settle-start.ts";

test("memory that nothing refers to is released", async () => {
  const reference = new WeakRef({ text: "x".repeat(1_000) });
  // A reference that was just made holds its target until the end of the turn.
  await setImmediate();
  releaseMemory();
  expect(reference.deref()).toBeUndefined();
});

test("compiled code is on the disk although the process is killed", async () => {
  const cache = mkdtempSync(join(tmpdir(), "talkback-compiled-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true, maxRetries: 5 }));
  const script = `const { settleStart } = await import(${JSON.stringify(new URL("settle-start.ts", import.meta.url).href)}); settleStart(0); setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { env: { ...process.env, NODE_COMPILE_CACHE: cache }, stdio: "ignore" });
  try {
    const countFiles = () => readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
    await vi.waitFor(() => expect(countFiles()).toBeGreaterThan(0), { timeout: 20_000 });
  } finally {
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }
});
