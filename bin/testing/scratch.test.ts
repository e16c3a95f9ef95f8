import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "./scratch.ts";

test("a folder of its own, which goes with all that is in it", () => {
  const one = scratch(false);
  const two = scratch(false);
  expect(one.folder).not.toBe(two.folder);
  writeFileSync(join(one.folder, "a"), "a");
  one.remove();
  expect([existsSync(one.folder), existsSync(two.folder)]).toEqual([false, true]);
  two.remove();
});

test.runIf(existsSync("/dev/shm"))("in memory it clears what a killed run has left, and nothing of a run that goes on", () => {
  // No process has this number: it is beyond what Linux gives.
  const [dead, alive] = ["/dev/shm/talkback-tests-99999999-x", `/dev/shm/talkback-tests-${process.ppid}-x`];
  for (const folder of [dead, alive]) mkdirSync(folder, { recursive: true });
  const mine = scratch(true);
  expect([existsSync(dead), existsSync(alive), mine.folder.startsWith("/dev/shm/")]).toEqual([false, true, true]);
  mine.remove();
  expect(existsSync(mine.folder)).toBe(false);
  rmSync(alive, { recursive: true });
});
