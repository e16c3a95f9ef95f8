import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createScratchFolder } from "./scratch.ts";

test("creates a separate folder and removes it with its contents", () => {
  const first = createScratchFolder(false);
  const second = createScratchFolder(false);
  expect(first.folder).not.toBe(second.folder);
  writeFileSync(join(first.folder, "a"), "a");
  first.remove();
  expect([existsSync(first.folder), existsSync(second.folder)]).toEqual([false, true]);
  const listeners = process.listenerCount("exit");
  second.remove();
  expect(process.listenerCount("exit")).toBe(listeners - 1);
});

test.runIf(existsSync("/dev/shm"))("removes from /dev/shm what a killed run left behind, but nothing of a run in progress", () => {
  // No process has this id: it exceeds the Linux maximum.
  const [dead, alive] = ["/dev/shm/talkback-tests-99999999-x", `/dev/shm/talkback-tests-${process.ppid}-x`];
  for (const folder of [dead, alive]) mkdirSync(folder, { recursive: true });
  const scratchFolder = createScratchFolder(true);
  expect([existsSync(dead), existsSync(alive), scratchFolder.folder.startsWith("/dev/shm/")]).toEqual([false, true, true]);
  scratchFolder.remove();
  expect(existsSync(scratchFolder.folder)).toBe(false);
  rmSync(alive, { recursive: true });
});
