/** Starts this version on databases that earlier versions have made and filled: their data stays, and is served. */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { reportFaults } from "../testing/fault-counts.ts";
import { chatHistory, sendMessage } from "../../contract/operations/chat.ts";
import { listComments } from "../../contract/operations/comments.ts";
import { listPlaylists } from "../../contract/operations/playlists.ts";
import { findFiles } from "../../contract/operations/files.ts";
import { listTasks } from "../../contract/operations/tasks.ts";
import { listTeams } from "../../contract/operations/teams.ts";
import { getWebhookEndpoint, listDeliveries } from "../../contract/operations/webhooks.ts";
import { systemClock } from "../lib/clock.ts";
import { createTestDatabase, ENGINES } from "../testing/engines.ts";
import { signIn } from "../testing/people.ts";
import { getFaultRounds } from "../testing/service-process.ts";
import { bearerCaller, startTestApp, type TestApp } from "../testing/test-app.ts";
import { FIXTURE_KEY, type FixtureContent, listFixtures, readFixture } from "../testing/upgrade-fixtures/archive.ts";
import { type FormerData, loadFixture, readRows, type Row, type Rows } from "../testing/upgrade-fixtures/load.ts";
import type { Engine } from "./database.ts";
import { migrate, MIGRATIONS } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";

const FIXTURES = listFixtures();
const OLDEST_WITH_FILES = "002-files";
/** PostgreSQL takes ten times as long, so the short form tries some of its databases. */
const fixturesOn = (engine: Engine): string[] => (engine === "sqlite" || getFaultRounds(1) > 1 ? FIXTURES : FIXTURES.filter((_, index) => index % 6 === 1));

/** Values that a migration sets: root folders of projects (002), dates of folders (042), projects of webhook events (044). */
const isSetByMigration = (table: string, column: string, row: Row): boolean =>
  (table === "projects" && column === "root_folder_id" && row[column] === null) ||
  (table === "files" && column === "changed_at" && Number(row["is_folder"]) === 1) ||
  (table === "outbound_events" && column === "project_id" && row[column] === null);

const printCell = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value));
const printRow = (row: Row, columns: readonly string[]): string => columns.map((column) => `${column}=${printCell(row[column])}`).join(" ");

async function readCurrentRows({ data }: FormerData, tables: readonly string[]): Promise<Rows> {
  if (data.engine === "sqlite") return readRows(data.location);
  const database = data.open();
  try {
    const rows = tables.map(async (table) => [table, (await sql<Row>`select * from ${sql.table(table)}`.execute(database.read)).rows] as const);
    return Object.fromEntries(await Promise.all(rows));
  } finally {
    await database.close();
  }
}

/** Counts the rows, and those that are no longer there with the same values. Migrations may add rows, tables and columns. */
function compareRows(before: Rows, after: Rows): { rowCount: number; lostCount: number } {
  let [rowCount, lostCount] = [0, 0];
  for (const [table, rows] of Object.entries(before)) {
    if (rows.length === 0 || table === "migrations") continue;
    const present = new Map<string, Set<string>>();
    for (const row of rows) {
      const columns = Object.keys(row).filter((column) => !isSetByMigration(table, column, row));
      const key = columns.join();
      if (!present.has(key)) present.set(key, new Set(after[table]?.map((other) => printRow(other, columns))));
      if (!present.get(key)!.has(printRow(row, columns))) lostCount += 1;
    }
    rowCount += rows.length;
  }
  return { rowCount, lostCount };
}

function expectSoundSqlite(folder: string): void {
  const database = new DatabaseSync(join(folder, "talkback.db"));
  expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
}

/** Asserts that the service shows what the version was filled with, and takes more. */
async function expectContent(testApp: TestApp, content: FixtureContent): Promise<void> {
  const { login, token, projectId, messages, originals, comments, taskTitles, playlistNames, webhook } = content;
  const owner = await signIn(testApp, login);
  const history = async () => (await testApp.call(owner, chatHistory, { body: { project_id: projectId } })).response.data.map(({ body }) => body);
  expect((await history()).filter((body) => messages.includes(body))).toEqual(messages);
  for (const { fileId, version, sha256 } of originals) {
    const url = `/api/v2/files/${fileId}/versions/${version}/original`;
    const { statusCode, rawPayload } = await testApp.app.server.inject({ method: "GET", url, headers: owner.headers });
    expect([statusCode, createHash("sha256").update(rawPayload).digest("hex")]).toEqual([200, sha256]);
  }
  if (originals.length > 0) {
    const [team] = (await testApp.call(owner, listTeams, { body: {} })).response.data;
    const found = (await testApp.call(owner, findFiles, { body: { team_id: team!.id, query: "nightdrive" } })).response.data;
    expect(found.map(({ name }) => name)).toEqual(["Nightdrive.wav"]);
  }
  if (comments) {
    const { data } = (await testApp.call(owner, listComments, { params: { file_id: comments.fileId }, query: {} })).response;
    expect(data.map(({ body }) => body)).toEqual(comments.bodies);
  }
  if (taskTitles) {
    const { data } = (await testApp.callUntyped(owner, listTasks, { query: { project_id: projectId, state: "all" } })).response as {
      data: { title: string }[];
    };
    expect(data.map(({ title }) => title).toSorted()).toEqual(taskTitles.toSorted());
  }
  if (playlistNames) {
    const { data } = (await testApp.callUntyped(owner, listPlaylists, { query: { project_id: projectId } })).response as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toEqual(playlistNames);
  }
  if (webhook) {
    const params = { endpoint_id: webhook.id };
    // The hint is part of the secret, which is encrypted.
    expect((await testApp.call(owner, getWebhookEndpoint, { params })).response.data.secret_hint).toMatch(/^.{3}=$/);
    expect((await testApp.call(owner, listDeliveries, { params, query: {} })).response.data).toHaveLength(webhook.deliveries);
  }
  const script = bearerCaller("script", token);
  expect((await testApp.call(script, sendMessage, { body: { project_id: projectId, body: "After the upgrade" } })).status).toBe(200);
  expect((await history()).at(-1)).toBe("After the upgrade");
}

/** Loads the fixture, which is deleted with the test. */
async function load(engine: Engine, name: string) {
  const fixture = readFixture(name);
  const former = await loadFixture(engine, fixture);
  onTestFinished(() => former.drop());
  return { fixture, former, before: readRows(former.folder) };
}

async function migrateData({ data }: FormerData, migrations?: Migration[]): Promise<string[]> {
  const database = data.open();
  try {
    return await migrate(database, systemClock, migrations);
  } finally {
    await database.close();
  }
}

describe.each(ENGINES)("a database on %s", { timeout: 120_000 }, (engine) => {
  it.each(fixturesOn(engine))("of the version that ended with %s is migrated, keeps all of its rows and is served", async (name) => {
    const { fixture, former, before } = await load(engine, name);
    const applied = await migrateData(former);
    expect([...fixture.migrations, ...applied].toSorted()).toEqual(MIGRATIONS.map((migration) => migration.name).toSorted());
    const { rowCount, lostCount } = compareRows(before, await readCurrentRows(former, Object.keys(before)));
    reportFaults("upgrade: earlier version", engine, { broken: 1, acknowledged: rowCount, lost: lostCount });
    expect(lostCount).toBe(0);
    expect(rowCount).toBeGreaterThan(50);
    if (engine === "sqlite") expectSoundSqlite(former.data.location);
    const template = { database: former.data.location, files: join(former.folder, "files"), masterKey: Buffer.from(FIXTURE_KEY, "base64").toString("hex") };
    const testApp = await startTestApp(engine, { template, migratedDatabase: former.data });
    try {
      await expectContent(testApp, fixture.content);
    } finally {
      await testApp.close();
    }
  });

  it("is as before when any migration fails at its end, and the next start completes them all", async () => {
    const { fixture, former, before } = await load(engine, OLDEST_WITH_FILES);
    let [failures, leftovers, survivors] = [0, 0, MIGRATIONS.filter(({ name }) => fixture.migrations.includes(name))];
    for (const migration of MIGRATIONS.slice(survivors.length)) {
      const failing: Migration = {
        name: migration.name,
        async up(tx, ofEngine) {
          await migration.up(tx, ofEngine);
          throw new Error("the power fails");
        },
      };
      const columnsBefore = await describeSchema(former);
      await expect(migrateData(former, [...survivors, failing])).rejects.toThrow("the power fails");
      failures += 1;
      if ((await describeSchema(former)).join("\n") !== columnsBefore.join("\n")) leftovers += 1;
      survivors = [...survivors, migration];
      expect(await migrateData(former, survivors)).toEqual([migration.name]);
    }
    expect(await migrateData(former)).toEqual([]);
    const { rowCount, lostCount } = compareRows(before, await readCurrentRows(former, Object.keys(before)));
    reportFaults("upgrade: failing migration", engine, { broken: failures, acknowledged: rowCount, lost: lostCount, leftovers, resumed: failures });
    expect([lostCount, leftovers]).toEqual([0, 0]);
    if (engine === "sqlite") expectSoundSqlite(former.data.location);
  });

  it("has the same tables as a new one", async () => {
    const { former } = await load(engine, FIXTURES[0]!);
    await migrateData(former);
    const data = await createTestDatabase(engine);
    onTestFinished(() => data.drop());
    const fresh = { data, folder: data.location, drop: () => Promise.resolve() };
    await migrateData(fresh);
    expect(await describeSchema(former)).toEqual(await describeSchema(fresh));
  });
});

/** Returns every table with its columns, and the migrations that have run. */
async function describeSchema({ data }: FormerData): Promise<string[]> {
  const database = data.open();
  try {
    const tables = await database.read.introspection.getTables();
    const names = await database.read.selectFrom("migrations").select("name").orderBy("name").execute();
    const columns = tables.map(
      ({ name, columns: ofTable }) =>
        `${name}: ${ofTable
          .map((column) => `${column.name} ${column.dataType} ${column.isNullable}`)
          .toSorted()
          .join(", ")}`,
    );
    return [...columns.toSorted(), ...names.map(({ name }) => name)];
  } finally {
    await database.close();
  }
}
