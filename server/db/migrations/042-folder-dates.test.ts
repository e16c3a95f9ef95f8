/** Tests that the migration gives folders the date of the newest thing in them, also in the search index. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { DAY, systemClock } from "../../lib/clock.ts";
import { createTestDatabase, ENGINES } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { indexRecords } from "../search-documents.ts";
import { FILTER_TOKEN, findMatchingIds } from "../search-index.ts";
import { folderDates } from "./042-folder-dates.ts";

/** The dates are in different months, by which searches filter. */
const MONTH = 31 * DAY;

it.each(ENGINES)("folders get the date of their newest entry, on %s", { timeout: 30_000 }, async (engine) => {
  const data = await createTestDatabase(engine);
  const database = data.open();
  await migrate(database, systemClock, MIGRATIONS.slice(0, MIGRATIONS.indexOf(folderDates)));
  const entry = (id: number, parent: number | null, isFolder: boolean, changedAt: number, deletedWith: number | null = null) =>
    `insert into files (id, project_id, parent_id, is_folder, kind, name, name_key, created_by, created_at, changed_at, deleted_at, deleted_with)
      values (${id}, 1, ${parent}, ${isFolder ? 1 : 0}, '${isFolder ? "folder" : "audio"}', 'n${id}', 'n${id}', 1, ${changedAt * MONTH}, ${changedAt * MONTH},
      ${deletedWith === null ? null : 99}, ${deletedWith})`;
  await database.write(async (tx) => {
    for (const statement of [
      "insert into organisations (id, name, created_at) values (1, 'o', 1)",
      "insert into teams (id, organisation_id, name, created_at) values (1, 1, 't', 1)",
      "insert into accounts (id, organisation_id, role, username, username_key, email, email_key, user_info, created_at) values (1, 1, 'member', 'x', '1', 'x', '1', '', 1)",
      "insert into projects (id, team_id, name, description, created_at, created_by) values (1, 1, 'p', '', 1, 1)",
      entry(1, null, true, 1),
      entry(2, 1, true, 2),
      entry(3, 2, true, 3),
      entry(4, 3, false, 40),
      entry(5, 3, false, 50, 5),
      entry(6, 1, true, 60),
      entry(7, 6, false, 7),
      // Deleted together: a folder, a folder in it, and a file in that.
      entry(8, 1, true, 8, 8),
      entry(9, 8, true, 9, 8),
      entry(10, 9, false, 100, 8),
      // Deleted before them.
      entry(11, 9, false, 200, 11),
    ])
      await sql.raw(statement).execute(tx);
    await indexRecords(tx, engine, "file", [2, 3, 6, 8, 9]);
  });
  await migrate(database, systemClock);
  const rows = await database.read.selectFrom("files").select(["id", "changed_at"]).where("is_folder", "=", 1).orderBy("id").execute();
  expect(rows.map(({ id, changed_at }) => [id, changed_at / MONTH])).toEqual([
    [1, 60],
    [2, 40],
    [3, 40],
    [6, 60],
    [8, 100],
    [9, 100],
  ]);
  for (const { id, changed_at } of rows.slice(1)) {
    const query = { terms: [], filters: [FILTER_TOKEN.month(changed_at)] };
    expect(await findMatchingIds(database.read, engine, "file", query, { before: null, limit: 10, where: sql<boolean>`1 = 1` })).toContain(id);
  }
  await database.close();
  await data.drop();
});
