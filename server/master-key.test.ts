import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ConfigError } from "./config.ts";
import { loadMasterKey } from "./master-key.ts";

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), "talkback-key-"))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it("creates the key once, readable only by its owner, and reuses it", () => {
  const key = loadMasterKey({ dataDir, masterKey: null });
  expect(key).toHaveLength(32);
  expect(loadMasterKey({ dataDir, masterKey: null })).toEqual(key);
  expect(readdirSync(dataDir)).toEqual(["master.key"]);
  if (process.platform !== "win32") expect(statSync(join(dataDir, "master.key")).mode & 0o777).toBe(0o600);
});
it("does not write a key from the environment to disk", () => {
  const masterKey = Buffer.alloc(32, 7);
  expect(loadMasterKey({ dataDir, masterKey })).toBe(masterKey);
  expect(readdirSync(dataDir)).toEqual([]);
});
it("throws instead of creating a key for a process that needs an existing one", () => {
  expect(() => loadMasterKey({ dataDir, masterKey: null }, false)).toThrow(/MASTER_KEY/);
  expect(readdirSync(dataDir)).toEqual([]);
  const key = loadMasterKey({ dataDir, masterKey: null });
  expect(loadMasterKey({ dataDir, masterKey: null }, false)).toEqual(key);
});
it("throws on a damaged key file and does not replace it", () => {
  writeFileSync(join(dataDir, "master.key"), "half a k");
  expect(() => loadMasterKey({ dataDir, masterKey: null })).toThrow(ConfigError);
  expect(readdirSync(dataDir)).toEqual(["master.key"]);
});
