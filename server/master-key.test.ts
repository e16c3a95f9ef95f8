import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ConfigError } from "./config.ts";
import { loadMasterKey } from "./master-key.ts";

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), "talkback-key-"))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it("is made once, readable by its owner alone, and stays", () => {
  const key = loadMasterKey({ dataDir, masterKey: null });
  expect(key).toHaveLength(32);
  expect(loadMasterKey({ dataDir, masterKey: null })).toEqual(key);
  expect(readdirSync(dataDir)).toEqual(["master.key"]);
  if (process.platform !== "win32") expect(statSync(join(dataDir, "master.key")).mode & 0o777).toBe(0o600);
});
it("from the environment is not written down", () => {
  const masterKey = Buffer.alloc(32, 7);
  expect(loadMasterKey({ dataDir, masterKey })).toBe(masterKey);
  expect(readdirSync(dataDir)).toEqual([]);
});
it("is not made for who needs that of others", () => {
  expect(() => loadMasterKey({ dataDir, masterKey: null }, false)).toThrow(/MASTER_KEY/);
  expect(readdirSync(dataDir)).toEqual([]);
  const key = loadMasterKey({ dataDir, masterKey: null });
  expect(loadMasterKey({ dataDir, masterKey: null }, false)).toEqual(key);
});
it("a damaged file is told, not replaced", () => {
  writeFileSync(join(dataDir, "master.key"), "half a k");
  expect(() => loadMasterKey({ dataDir, masterKey: null })).toThrow(ConfigError);
  expect(readdirSync(dataDir)).toEqual(["master.key"]);
});
