import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { systemClock } from "../lib/clock.ts";
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
    expect(await start().check()).toEqual({ reasons: ["The database cannot be reached."], warnings: [] });
    await migrate(database, systemClock);
    expect(await start().check()).toEqual({ reasons: [], warnings: [] });
    await database.write((tx) => tx.insertInto("migrations").values({ name: "999-tomorrow", applied_at: 0 }).execute());
    expect(await start().check()).toEqual({ reasons: ["A newer version of Talkback has migrated the database."], warnings: [] });
    await database.write((tx) => tx.deleteFrom("migrations").where("name", "in", ["999-tomorrow", "002-files"]).execute());
    expect(await start().check()).toEqual({ reasons: ["The database is not migrated yet."], warnings: [] });
  });

  it("ends when the database is gone, with details for the log only, once", async () => {
    await migrate(database, systemClock);
    expect(await start().check()).toEqual({ reasons: [], warnings: [] });
    const readiness = start();
    await database.close();
    expect(await readiness.check()).toEqual({ reasons: ["The database cannot be reached."], warnings: [] });
    expect(await readiness.check()).toEqual({ reasons: ["The database cannot be reached."], warnings: [] });
    expect(warnings).toEqual(["a check of this process failed: The database cannot be reached."]);
  });

  it("ends for a database that does not respond, without waiting for it", async () => {
    await migrate(database, systemClock);
    const stuck = { ...database, read: { selectFrom: () => ({ select: () => ({ execute: () => new Promise(() => {}) }) }) } } as unknown as Database;
    expect(await start({ database: stuck, storage: undefined, checkTimeoutMs: 20 }).check()).toEqual({
      reasons: ["The database cannot be reached."],
      warnings: [],
    });
  });

  it("needs a storage that responds once, and leaves nothing in it", async () => {
    await migrate(database, systemClock);
    expect(await start().check()).toEqual({ reasons: [], warnings: [] });
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toEqual([]);
    const blocked = join(folder, "file");
    writeFileSync(blocked, "");
    expect(await start({ storage: openLocalDisk(blocked) }).check()).toEqual({ reasons: ["Files cannot be stored."], warnings: [] });
  });

  it("stays when the storage fails or hangs later, since everything but files goes on, and says so", async () => {
    await migrate(database, systemClock);
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let probe = (): Promise<void> => Promise.reject(new Error("down"));
    const readiness = start({ storage: { probe: () => probe() } as Storage, checkTimeoutMs: 2_147_483_647 });
    const failure = "Files cannot be stored.";
    expect([await readiness.check(), await readiness.isStorageUp()]).toEqual([{ reasons: [failure], warnings: [] }, false]);
    probe = () => Promise.resolve();
    vi.advanceTimersByTime(1_000);
    expect([await readiness.check(), await readiness.isStorageUp()]).toEqual([{ reasons: [], warnings: [] }, true]);
    probe = () => Promise.reject(new Error("down"));
    vi.advanceTimersByTime(30_000);
    expect([await readiness.isStorageUp(), await readiness.check()]).toEqual([false, { reasons: [], warnings: [failure] }]);
    const { promise, resolve } = Promise.withResolvers<void>();
    probe = () => promise;
    vi.advanceTimersByTime(1_000);
    expect(await readiness.check()).toEqual({ reasons: [], warnings: [failure] });
    resolve();
    expect([await readiness.isStorageUp(), await readiness.check()]).toEqual([true, { reasons: [], warnings: [] }]);
    expect(warnings).toEqual([`a check of this process failed: ${failure}`, `a check of this process failed: ${failure}`]);
  });

  it("ends before the process does", async () => {
    await migrate(database, systemClock);
    const readiness = start();
    expect(await readiness.check()).toEqual({ reasons: [], warnings: [] });
    readiness.drain();
    expect(await readiness.check()).toEqual({ reasons: ["The service is stopping."], warnings: [] });
  });

  it("asks once, however many monitors there are", async () => {
    await migrate(database, systemClock);
    let probes = 0;
    const storage = { probe: async () => void (probes += 1) } as Storage;
    const readiness = start({ storage });
    await Promise.all(Array.from({ length: 20 }, () => readiness.check()));
    await readiness.check();
    expect(probes).toBe(1);
  });
});
