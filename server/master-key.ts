/** The key from which all others are derived: from the environment, or made once beside the data. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, type Config } from "./config.ts";

export function loadMasterKey(config: Pick<Config, "dataDir" | "masterKey">): Buffer {
  if (config.masterKey) return config.masterKey;
  const file = join(config.dataDir, "master.key");
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  try {
    // "wx": of two processes that start at once, one makes it and the other reads it.
    writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const key = Buffer.from(readFileSync(file, "utf8"), "base64");
  if (key.length !== 32) throw new ConfigError(`${file} is damaged: it should hold 32 bytes in base64. Restore it from a backup.`);
  return key;
}
