/** The commands on real places: moving between the engines, the master key, and what they refuse. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../config.ts";
import { createModules } from "../../create-modules.ts";
import { openPostgresDatabase, openSqliteDatabase, type Engine } from "../../db/database.ts";
import { acquireServingLock } from "../../db/serving-lock.ts";
import { readLastIds } from "../../db/table-copy.ts";
import { loadMasterKey } from "../../master-key.ts";
import { checkStorage } from "../../storage/storage.ts";
import { createTestDatabase, ENGINES } from "../../testing/engines.ts";
import { createEndpointSecrets } from "../../modules/webhooks/secrets.ts";
import { createFixtures } from "../../testing/fixtures.ts";
import { startS3Server } from "../../testing/s3-server.ts";
import { runCli } from "../../testing/service-process.ts";
import { allRecordedKeys } from "./all-recorded-keys.ts";
import { createFolder, filesOf, readAllTables } from "./backup.fixture.ts";
import { openBackupStore } from "./backup-store.ts";
import { BACKUP_COMMANDS } from "./commands.ts";

// The lines about the progress.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

type Settings = Record<string, string>;

const run = async (settings: Settings, name: string, options: Record<string, string>): Promise<string> =>
  (await BACKUP_COMMANDS[name]!.runAlone(readConfig({ DISK_RESERVE_BYTES: "0", ...settings }), options)).join("\n");

/** The settings of an empty place without a key. */
async function createEmpty(engine: Engine): Promise<Settings> {
  const settings: Settings = { DATA_DIR: join(createFolder(), "data") };
  if (engine === "sqlite") return settings;
  const data = await createTestDatabase(engine);
  onTestFinished(() => data.drop());
  return { ...settings, DATABASE_URL: data.location };
}

/** The settings of a place with the fixtures, which nothing has open. */
async function createFilled(engine: Engine): Promise<Settings> {
  const { testApp } = await createFixtures(engine);
  await testApp.app.server.close();
  await testApp.database.close();
  const folder = createFolder();
  cpSync(join(testApp.config.dataDir, "files", "blobs"), join(folder, "files", "blobs"), { recursive: true });
  if (engine === "sqlite") cpSync(testApp.testDatabase.location, folder, { recursive: true });
  rmSync(testApp.config.dataDir, { recursive: true, force: true });
  onTestFinished(() => testApp.testDatabase.drop());
  writeFileSync(join(folder, "master.key"), `${testApp.masterKey.toString("base64")}\n`);
  return { DATA_DIR: folder, ...(engine === "postgres" ? { DATABASE_URL: testApp.testDatabase.location } : {}) };
}

/** Returns everything that a place has, in the same form for both engines. */
async function readPlace(settings: Settings) {
  const { DATA_DIR = "", DATABASE_URL } = settings;
  const database = DATABASE_URL ? openPostgresDatabase(DATABASE_URL) : openSqliteDatabase(DATA_DIR);
  try {
    const masterKey = loadMasterKey(readConfig(settings), false);
    const { storage } = createModules({ database, config: readConfig(settings), masterKey }).deps;
    const { missing, orphans, bytes } = await checkStorage(storage, allRecordedKeys(database.read), Date.now() + 10 * 24 * 3_600_000);
    expect([missing, orphans]).toEqual([[], []]);
    // A table without a row has no entry on SQLite.
    const lastIds = Object.fromEntries(Object.entries(await readLastIds(database.read, database.engine)).filter(([, id]) => id > 0));
    return { tables: await readAllTables(database), lastIds, bytes, key: readFileSync(join(DATA_DIR, "master.key"), "utf8") };
  } finally {
    await database.close();
  }
}

/** Mounts a disk of this size; null if this user may not mount one. */
function mountTinyDisk(size: string): string | null {
  const folder = createFolder();
  if (process.platform !== "linux" || process.getuid?.() !== 0 || spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]).status !== 0)
    return null;
  onTestFinished(() => void spawnSync("umount", [folder]));
  return folder;
}

describe.each(ENGINES)("moving from %s", { timeout: 120_000 }, (engine) => {
  test("to the other engine and an object store and back changes nothing", async () => {
    const source = await createFilled(engine);
    const before = await readPlace(source);
    expect(before.bytes).toBeGreaterThan(0);
    const exports = [createFolder(), createFolder()] as const;
    await run(source, "export", { folder: exports[0], "include-key": "true" });
    const server = await startS3Server();
    onTestFinished(() => server.close());
    const middle = { ...(await createEmpty(engine === "sqlite" ? ENGINES.at(-1)! : "sqlite")), ...server.environment };
    await expect(run({ ...middle, S3_BUCKET: "absent" }, "import", { folder: exports[0] })).rejects.toThrow("The bucket absent does not exist");
    expect(await run(middle, "import", { folder: exports[0] })).toContain("Talkback can be started.");
    expect(await readPlace(middle)).toEqual(before);
    expect(server.objects().length).toBeGreaterThan(0);
    expect(readdirSync(join(middle.DATA_DIR!, "files", "blobs"))).toEqual([]);
    await run(middle, "export", { folder: exports[1], "include-key": "true" });
    const target = await createEmpty(engine);
    await run(target, "import", { folder: exports[1] });
    expect(await readPlace(target)).toEqual(before);
  });

  test("is refused while something runs on either side, and a backup is not", async () => {
    const source = await createFilled(engine);
    const target = await createEmpty(engine);
    const folder = createFolder();
    const occupy = async ({ DATA_DIR = "", DATABASE_URL }: Settings): Promise<() => Promise<void>> => {
      if (!DATABASE_URL) {
        const release = acquireServingLock(DATA_DIR)!;
        return async () => release();
      }
      // Any program, not only Talkback.
      const client = new pg.Client({ connectionString: DATABASE_URL, application_name: "psql" });
      await client.connect();
      return () => client.end();
    };
    let stop = await occupy(source);
    await expect(run(source, "export", { folder })).rejects.toThrow("Talkback is running.");
    expect(readdirSync(folder)).toEqual([]);
    await run(source, "backup", { folder, "include-key": "true" });
    await stop();
    stop = await occupy(target);
    await expect(run(target, "import", { folder })).rejects.toThrow("Talkback is running.");
    await stop();
    await run(target, "import", { folder });
  });
});

const flip = (path: string): void => {
  const bytes = readFileSync(path);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(path, bytes);
};

/** Changes a byte of a file in the last backup, and returns the file's hash. */
async function damageFile(folder: string): Promise<string> {
  const store = openBackupStore(folder);
  const [[, sha256] = ["", ""]] = (await filesOf(store, await store.readSnapshot((await store.listSnapshots()).at(-1)!))).values();
  flip(store.pathOf(sha256));
  return sha256;
}

describe("the master key", { timeout: 120_000 }, () => {
  test("is stored only on request, and restored for its owner alone", async () => {
    const source = await createFilled("sqlite");
    const folder = createFolder();
    const key = readFileSync(join(source.DATA_DIR!, "master.key"), "utf8");
    expect(await run(source, "backup", { folder })).toContain("Without the master key: keep a copy");
    const everything = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of everything) expect(readFileSync(join(parentPath, name)).includes(key.trim()), name).toBe(false);
    expect(await run(source, "backup", { folder, "include-key": "true" })).toContain("With the master key:");
    const target = await createEmpty("sqlite");
    await run(target, "restore", { folder });
    expect(readFileSync(join(target.DATA_DIR!, "master.key"), "utf8")).toBe(key);
  });

  test("must be at hand for a restore without it, unless a new one is accepted", async () => {
    const source = await createFilled("sqlite");
    const folder = createFolder();
    await run(source, "backup", { folder });
    const target = await createEmpty("sqlite");
    await expect(run(target, "restore", { folder })).rejects.toThrow(/does not contain the master key. Nothing was changed/);
    expect(existsSync(target.DATA_DIR!)).toBe(false);
    const other = { ...target, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
    await expect(run(other, "restore", { folder })).rejects.toThrow(/^The master key here \(MASTER_KEY\) is another one/);
    const key = readFileSync(join(source.DATA_DIR!, "master.key"), "utf8").trim();
    await run({ ...target, MASTER_KEY: key }, "restore", { folder });
    expect(existsSync(join(target.DATA_DIR!, "master.key"))).toBe(false);
    const fresh = await createEmpty("sqlite");
    await run(fresh, "restore", { folder, "new-key": "true" });
    expect(readFileSync(join(fresh.DATA_DIR!, "master.key"), "utf8").trim()).not.toBe(key);
  });
});

describe("a command", { timeout: 120_000 }, () => {
  test("that finds nothing to back up creates nothing", async () => {
    const empty = await createEmpty("sqlite");
    const folder = join(createFolder(), "backups");
    await expect(run({ ...empty, MASTER_KEY: Buffer.alloc(32).toString("base64") }, "backup", { folder })).rejects.toThrow("There is no database in");
    expect([existsSync(empty.DATA_DIR!), existsSync(folder)]).toEqual([false, false]);
    await expect(run(empty, "restore", { folder })).rejects.toThrow("has no backups of Talkback.");
    await expect(run(empty, "check-backup", { folder })).rejects.toThrow("has no backups of Talkback.");
  });

  test("that names another backup gets the list, and restores the one that is asked for", async () => {
    const source = await createFilled("sqlite");
    const folder = createFolder();
    await run(source, "backup", { folder, "include-key": "true" });
    const [id = ""] = (await run(source, "check-backup", { folder })).split("\n");
    const database = openSqliteDatabase(source.DATA_DIR!);
    await database.write((tx) => tx.updateTable("organisations").set({ name: "renamed later" }).execute());
    await database.close();
    await run(source, "backup", { folder, "include-key": "true" });
    const target = await createEmpty("sqlite");
    await expect(run(target, "restore", { folder, snapshot: "yesterday" })).rejects.toThrow(id);
    await run(target, "restore", { folder, snapshot: id });
    expect((await readPlace(target)).tables["organisations"]?.join()).not.toContain("renamed later");
  });

  test("that cannot use the file storage ends with a sentence", async () => {
    const source = await createFilled("sqlite");
    const server = await startS3Server();
    onTestFinished(() => server.close());
    const failure = await runCli(source.DATA_DIR!, { ...server.environment, S3_BUCKET: "absent" }, "backup", createFolder()).catch(
      ({ stderr }: { stderr: string }) => stderr,
    );
    expect(failure).toMatch(/^The bucket absent does not exist at [^\n]*\n$/);
  });

  test("that finds no table of migrations says so, and a broken connection is another matter", async () => {
    const settings = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/talkback" };
    const failure = await runCli(createFolder(), { ...settings, MASTER_KEY: Buffer.alloc(32).toString("base64") }, "backup", createFolder()).catch(
      ({ stderr }: { stderr: string }) => stderr,
    );
    expect(failure).toMatch(/^The database cannot be reached: [^\n]*ECONNREFUSED[^\n]*Check DATABASE_URL.\n$/);
    const empty = createFolder();
    await openSqliteDatabase(empty).close();
    await expect(run({ DATA_DIR: empty, MASTER_KEY: Buffer.alloc(32).toString("base64") }, "backup", { folder: createFolder() })).rejects.toThrow(
      "There is no database to back up.",
    );
  });

  test("that finds another master key than that of the webhook secrets makes no backup", async () => {
    const source = await createFilled("sqlite");
    const { encrypted } = createEndpointSecrets(loadMasterKey(readConfig(source), false)).generate();
    const database = openSqliteDatabase(source.DATA_DIR!);
    await database.write((tx) =>
      tx
        .insertInto("webhook_endpoints")
        .values({
          organisation_id: 1,
          url: "https://hooks.test",
          event_types: "[]",
          description: "",
          enabled: 1,
          secret: encrypted,
          created_by: 1,
          created_at: 1,
          updated_at: 1,
        })
        .execute(),
    );
    await database.close();
    const folder = createFolder();
    await run(source, "backup", { folder });
    const stale = { ...source, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
    const other = createFolder();
    await expect(run(stale, "backup", { folder: other })).rejects.toThrow(/^The webhook secrets were encrypted with a different master key/);
    expect(readdirSync(join(other, "snapshots"))).toEqual([]);
  });

  test.each(["0", "-1", "two", "1.5"])("does not accept --keep %s", async (keep) => {
    await expect(run({}, "backup", { folder: createFolder(), keep })).rejects.toThrow("--keep must be the number of backups");
  });

  test("fails if files are missing, adds the rest, and removes no older backup", async () => {
    const source = await createFilled("sqlite");
    const folder = createFolder();
    rmSync(join(source.DATA_DIR!, "files", "blobs"), { recursive: true });
    for (const _ of [1, 2])
      await expect(run(source, "backup", { folder, keep: "1" })).rejects.toThrow(
        /files could not be backed up:\n  [0-9a-f]{32}  original of file .* is not stored/,
      );
    const snapshots = readdirSync(join(folder, "snapshots"));
    expect(snapshots).toHaveLength(2);
  });

  test("that finds a damaged object sets it aside, and the next backup copies it again", async () => {
    const source = await createFilled("sqlite");
    const folder = createFolder();
    await run(source, "backup", { folder, "include-key": "true" });
    const sha256 = await damageFile(folder);
    const failure = new RegExp(`${sha256} has another content than when it was stored[^]*moved to ${join(folder, "damaged")}`);
    await expect(run(source, "check-backup", { folder })).rejects.toThrow(failure);
    expect([readdirSync(join(folder, "damaged")), existsSync(openBackupStore(folder).pathOf(sha256))]).toEqual([[sha256], false]);
    expect(await run(source, "backup", { folder, "include-key": "true", verify: "true" })).toContain("Everything is as it was stored.");
    const target = await createEmpty("sqlite");
    await run(target, "restore", { folder });
    expect(await readPlace(target)).toEqual(await readPlace(source));
  });

  test("that finds damage only in older backups still removes those that are too old", async () => {
    const source = await createFilled("sqlite");
    const folder = createFolder();
    await run(source, "backup", { folder });
    const [first = ""] = readdirSync(join(folder, "snapshots"));
    const { tables } = await openBackupStore(folder).readSnapshot(first.replace(".json", ""));
    const chunk = openBackupStore(folder).pathOf(tables.find(({ name }) => name === "organisations")!.chunks[0]!);
    const database = openSqliteDatabase(source.DATA_DIR!);
    await database.write((tx) => tx.updateTable("organisations").set({ name: "renamed later" }).execute());
    await database.close();
    flip(chunk);
    await run(source, "backup", { folder });
    const nightly = { folder, keep: "2", verify: "true" };
    await expect(run(source, "backup", nightly)).rejects.toThrow(/1 problems in [^]*Removed 1 older backups/);
    expect(readdirSync(join(folder, "snapshots"))).not.toContain(first);
    expect(await run(source, "backup", nightly)).toContain("Everything is as it was stored.");
  });

  test("that fills the disk says so, and the next one continues", async (context) => {
    const folder = mountTinyDisk("80k");
    if (!folder) return context.skip("needs root, to mount a tiny disk");
    const source = await createFilled("sqlite");
    const error: Error = await run(source, "backup", { folder }).then(
      () => expect.unreachable("it fitted"),
      (thrown: Error) => thrown,
    );
    expect(error.message).toBe(`There is no space left for ${folder}. This backup was not completed; earlier ones are whole. The next run continues.`);
    expect([readdirSync(join(folder, "snapshots")), readdirSync(join(folder, "incoming"))]).toEqual([[], []]);
    spawnSync("mount", ["-o", "remount,size=8m", folder]);
    expect(await run(source, "backup", { folder, verify: "true" })).toContain("Everything is as it was stored.");
  });
});
