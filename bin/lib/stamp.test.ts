import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, afterEach, expect, test } from "vitest";
import { hashFiles, hasStamp, writeStamp } from "./stamp.mjs";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "talkback-stamp-"));
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  writeFileSync(join(root, "src", "a.ts"), "one");
  writeFileSync(join(root, "src", "deep", "b.ts"), "two");
  writeFileSync(join(root, "src", "a.test.ts"), "test");
});
afterEach(() => rmSync(root, { recursive: true }));

const hash = () => hashFiles(root, ["src", "gone"], (path) => !path.endsWith(".test.ts"));

test("the hash changes with file contents and names, but not with timestamps or ignored files", () => {
  const before = hash();
  utimesSync(join(root, "src", "a.ts"), 1, 1);
  writeFileSync(join(root, "src", "a.test.ts"), "another test");
  expect(hash()).toBe(before);

  writeFileSync(join(root, "src", "deep", "b.ts"), "two!");
  expect(hash()).not.toBe(before);
  writeFileSync(join(root, "src", "deep", "b.ts"), "two");
  expect(hash()).toBe(before);

  renameSync(join(root, "src", "deep", "b.ts"), join(root, "src", "deep", "c.ts"));
  expect(hash()).not.toBe(before);
});

test("the hash changes when content moves from one file to the next", () => {
  const before = hash();
  writeFileSync(join(root, "src", "a.ts"), "onet");
  writeFileSync(join(root, "src", "deep", "b.ts"), "wo");
  expect(hash()).not.toBe(before);
});

test("a stamp matches only the value it was written with", () => {
  const path = join(root, "stamp");
  expect(hasStamp(path, "1")).toBe(false);
  writeStamp(path, "1");
  expect(hasStamp(path, "1")).toBe(true);
  expect(hasStamp(path, "2")).toBe(false);
});
