/** Opens the database and the file storage that the settings name, for commands that must not migrate or create anything before they have looked. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { createModules } from "../../create-modules.ts";
import { type Database, openPostgresDatabase, openSqliteDatabase } from "../../db/database.ts";
import { acquireServingLock } from "../../db/serving-lock.ts";
import { countOtherConnections } from "../../db/table-copy.ts";
import { loadMasterKey } from "../../master-key.ts";
import type { Storage } from "../../storage/storage.ts";
import { CommandError } from "../command.ts";
import { fingerprintOf, type Snapshot } from "./snapshot.ts";

export interface Place {
  database: Database;
  storage: Storage;
  /** Throws if the place must be stopped and another program is connected to its PostgreSQL database. */
  assertStopped(): Promise<void>;
}

const CONNECTION_CHECKS = 10;
const CONNECTION_CHECK_MS = 200;

/** PostgreSQL lists a connection for a moment after its process has ended, so a connection counts only if it stays. */
async function hasOtherConnections({ read }: Database): Promise<boolean> {
  for (let check = 1; (await countOtherConnections(read)) > 0; check += 1) {
    if (check === CONNECTION_CHECKS) return true;
    await sleep(CONNECTION_CHECK_MS);
  }
  return false;
}

/**
 * Runs `work` on the place and closes it. Throws a `StorageSetupError` if its storage cannot be used. `mustBeStopped`: throws while services or workers use
 * the place, and on SQLite none starts meanwhile.
 */
export async function withPlace<T>(config: Config, masterKey: Buffer, mustBeStopped: boolean, work: (place: Place) => Promise<T>): Promise<T> {
  const running = new CommandError(
    "Talkback is running. Stop all its services and workers, and other programs that are connected to its database, then run this command again.",
  );
  const release = mustBeStopped && !config.databaseUrl ? acquireServingLock(config.dataDir) : () => {};
  if (!release) throw running;
  const database = config.databaseUrl
    ? openPostgresDatabase(config.databaseUrl, { applicationName: `talkback-admin-${randomBytes(6).toString("hex")}` })
    : openSqliteDatabase(config.dataDir);
  const assertStopped = async (): Promise<void> => {
    if (mustBeStopped && database.engine === "postgres" && (await hasOtherConnections(database))) throw running;
  };
  try {
    await assertStopped();
    const { storage } = createModules({ database, config, masterKey }).deps;
    await storage.check();
    return await work({ database, storage, assertStopped });
  } finally {
    await database.close();
    release();
  }
}

/** Throws unless there is a database of SQLite in the data folder, because opening it would create one. */
export function assertDatabaseExists({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !existsSync(join(dataDir, "talkback.db"))) throw new CommandError(`There is no database in ${dataDir}. Check DATA_DIR and DATABASE_URL.`);
}

const KEY_USES = "the signing secrets of webhooks, push subscriptions and links in emails";

/**
 * Returns the key that a restored place uses: the one that is set here if it is the backup's, else the one in the backup. Throws if there is none, unless
 * `acceptsNewKey`, and never replaces a key. `save` writes the key file where it is missing.
 */
export function chooseMasterKey(config: Config, { masterKey }: Snapshot, acceptsNewKey: boolean): { key: Buffer; save(): void } {
  const file = join(config.dataDir, "master.key");
  const save = (): void => {};
  if (config.masterKey || existsSync(file)) {
    const key = loadMasterKey(config, false);
    if (fingerprintOf(key) === masterKey.fingerprint || acceptsNewKey) return { key, save };
    throw new CommandError(
      `The master key here (${config.masterKey ? "MASTER_KEY" : file}) is another one than when the backup was made. Nothing was changed. Use that key, or accept with --new-key that ${KEY_USES} are lost.`,
    );
  }
  if (masterKey.value !== null) {
    const key = Buffer.from(masterKey.value, "base64");
    return {
      key,
      save() {
        mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
        writeFileSync(file, `${masterKey.value}\n`, { mode: 0o600, flush: true });
      },
    };
  }
  if (acceptsNewKey) return { key: loadMasterKey(config), save };
  throw new CommandError(
    `The backup does not contain the master key. Nothing was changed. Put the master.key of that time into ${config.dataDir}, or set MASTER_KEY, or accept with --new-key that ${KEY_USES} are lost.`,
  );
}
