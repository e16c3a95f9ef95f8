import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { systemClock } from "../lib/clock.ts";
import { HttpError } from "../lib/errors.ts";
import { openLocalDisk } from "../storage/local-disk.ts";
import type { Storage } from "../storage/storage.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../testing/engines.ts";
import { createReadiness } from "./readiness.ts";

describe.each(ENGINES)("readiness on %s", (engine) => {
  let data: TestDatabase;
  let database: Database;
  let folder: string;
  const warnings: string[] = [];
  const warn = (_error: unknown, message: string) => void warnings.push(message);
  beforeEach(async () => {
    warnings.length = 0;
    folder = mkdtempSync(join(tmpdir(), "talkback-ready-"));
    data = await createTestDatabase(engine);
    database = data.open();
  });
  afterEach(async () => {
    await database.close().catch(() => {});
    await data.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (options: Partial<Parameters<typeof createReadiness>[0]> = {}) =>
    createReadiness({ database, storage: openLocalDisk(folder), warn, ...options });

  it("needs a database with the schema of this version", async () => {
    expect(await start().check()).toEqual(["The database cannot be reached."]);
    await migrate(database, systemClock);
    expect(await start().check()).toEqual([]);
    await database.write((tx) => tx.insertInto("migrations").values({ name: "999-tomorrow", applied_at: 0 }).execute());
    expect(await start().check()).toEqual(["A newer version of Talkback has migrated the database."]);
    await database.write((tx) => tx.deleteFrom("migrations").where("name", "in", ["999-tomorrow", "002-files"]).execute());
    expect(await start().check()).toEqual(["The database is not migrated yet."]);
  });

  it("ends when the database is gone, with details for the log only, once", async () => {
    await migrate(database, systemClock);
    expect(await start().check()).toEqual([]);
    const readiness = start();
    await database.close();
    expect(await readiness.check()).toEqual(["The database cannot be reached."]);
    expect(await readiness.check()).toEqual(["The database cannot be reached."]);
    expect(warnings).toEqual(["not ready: The database cannot be reached."]);
  });

  it("ends for a database that does not respond, without waiting for it", async () => {
    await migrate(database, systemClock);
    const stuck = { ...database, read: { selectFrom: () => ({ select: () => ({ execute: () => new Promise(() => {}) }) }) } } as unknown as Database;
    expect(await start({ database: stuck, storage: undefined, checkTimeoutMs: 20 }).check()).toEqual(["The database cannot be reached."]);
  });

  it("needs a storage that can be written, and leaves nothing in it", async () => {
    await migrate(database, systemClock);
    expect(await start().check()).toEqual([]);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toEqual([]);
    const blocked = join(folder, "file");
    writeFileSync(blocked, "");
    chmodSync(blocked, 0o400);
    expect(await start({ storage: openLocalDisk(blocked) }).check()).toEqual(["Files cannot be stored."]);
  });

  it("stays on a full disk, since everything but uploads goes on", async () => {
    await migrate(database, systemClock);
    const storage = { put: () => Promise.reject(new HttpError(507, "full")) } as unknown as Storage;
    expect(await start({ storage }).check()).toEqual([]);
  });

  it("ends before the process does", async () => {
    await migrate(database, systemClock);
    const readiness = start();
    expect(await readiness.check()).toEqual([]);
    readiness.drain();
    expect(await readiness.check()).toEqual(["The service is stopping."]);
  });

  it("asks once, however many monitors there are", async () => {
    await migrate(database, systemClock);
    let puts = 0;
    const storage = { put: async () => ({ key: `${(puts += 1)}` }), remove: async () => {} } as unknown as Storage;
    const readiness = start({ storage });
    await Promise.all(Array.from({ length: 20 }, () => readiness.check()));
    await readiness.check();
    expect(puts).toBe(1);
  });
});
