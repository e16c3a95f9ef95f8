/** Loads the master key from which all others are derived: from the environment, or from a file created next to the data. */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, type Config } from "./config.ts";

function createKeyFile(file: string): void {
  const temporaryFile = `${file}.${process.pid}`;
  try {
    // Linking a complete temporary file is atomic: of two processes that start at once, the first one's key is kept.
    writeFileSync(temporaryFile, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flush: true });
    linkSync(temporaryFile, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}

/** `canCreate`: whether a missing key is created; the delivery worker needs the key of the services. Throws a `ConfigError` if none can be loaded. */
export function loadMasterKey(config: Pick<Config, "dataDir" | "masterKey">, canCreate = true): Buffer {
  if (config.masterKey) return config.masterKey;
  const file = join(config.dataDir, "master.key");
  if (!canCreate && !existsSync(file))
    throw new ConfigError(`Master key not found (${file} is missing). Set the same MASTER_KEY (or DATA_DIR) as for the services.`);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) createKeyFile(file);
  const key = Buffer.from(readFileSync(file, "utf8"), "base64");
  if (key.length !== 32) throw new ConfigError(`${file} is damaged: it must contain 32 bytes in base64. Restore it from a backup.`);
  return key;
}
