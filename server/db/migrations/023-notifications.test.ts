/** Tests that the migration makes people watch the files that they uploaded or commented on. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { notifications } from "./023-notifications.ts";

it.each(ENGINES)("people watch the files that they uploaded or commented on, on %s", { timeout: 30_000 }, async (engine) => {
  const data = await createTestDatabase(engine);
  const database = data.open();
  await migrate(database, systemClock, MIGRATIONS.slice(0, MIGRATIONS.indexOf(notifications)));
  const account = (id: number) =>
    `insert into accounts (id, organisation_id, role, username, username_key, email, email_key, user_info, created_at)
      values (${id}, 1, 'member', 'x', '${id}', 'x', '${id}', '', 1)`;
  const version = (number: number, by: number, at: number) =>
    `insert into file_versions (file_id, number, blob_key, size, created_by, created_at) values (1, ${number}, 'blob', 1, ${by}, ${at})`;
  const comment = (by: number, at: number, deletedAt: number | null) =>
    `insert into comments (project_id, file_id, version, account_id, body, created_at, deleted_at) values (1, 1, 1, ${by}, 'x', ${at}, ${deletedAt})`;
  await database.write(async (tx) => {
    for (const statement of [
      "insert into organisations (id, name, created_at) values (1, 'o', 1)",
      "insert into teams (id, organisation_id, name, created_at) values (1, 1, 't', 1)",
      ...[1, 2, 3].map(account),
      "insert into projects (id, team_id, name, description, created_at, created_by) values (1, 1, 'p', '', 1, 1)",
      "insert into files (id, project_id, is_folder, name, name_key, created_by, created_at) values (1, 1, 0, 'f', 'f', 1, 1)",
      "insert into blobs (key, organisation_id, size, sha256, created_at) values ('blob', 1, 1, '', 1)",
      version(1, 1, 20),
      version(2, 1, 30),
      comment(1, 10, null),
      comment(2, 40, null),
      comment(3, 50, 60),
    ])
      await sql.raw(statement).execute(tx);
  });
  await migrate(database, systemClock);
  expect(await database.read.selectFrom("file_watchers").selectAll().orderBy("account_id").execute()).toEqual([
    { file_id: 1, account_id: 1, watching: 1, created_at: 10 },
    { file_id: 1, account_id: 2, watching: 1, created_at: 40 },
  ]);
  await database.close();
  await data.drop();
});
