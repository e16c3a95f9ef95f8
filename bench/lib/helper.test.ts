import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { InsertCalls } from "../rows/insert-process.ts";
import { type Helper, startHelper } from "./helper.ts";

const FILE = new URL("../rows/insert-process.ts", import.meta.url);
let folder = "";
let helper: Helper<InsertCalls>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "talkback-helper-"));
  helper = await startHelper<InsertCalls>(FILE);
});
afterEach(async () => {
  await helper.stop();
  rmSync(folder, { recursive: true, force: true });
});

const insertFor = (seconds: number, name = "bare.db") => helper.call("insertFor", { file: join(folder, name), seconds });

it("answers calls, and passes errors on", async () => {
  expect(await insertFor(0.05)).toBeGreaterThan(1);
  await expect(insertFor(0.05, "nowhere/bare.db")).rejects.toThrow("unable to open database file");
});

it("fails what is pending when its process ends, and leaves no process", async () => {
  const pending = insertFor(60);
  process.kill(helper.pid, "SIGKILL");
  await expect(pending).rejects.toThrow("insert-process.ts ended with SIGKILL");
  await helper.stop();
  expect(() => process.kill(helper.pid, 0)).toThrow("ESRCH");
});
