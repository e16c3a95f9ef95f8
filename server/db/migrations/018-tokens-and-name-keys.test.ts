/** Tests that names get the keys of one rule, and that a process of an older version can still insert groups. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { tokensAndNameKeys } from "./018-tokens-and-name-keys.ts";

it.each(ENGINES)("keys of names follow one rule, and an older process still creates groups, on %s", { timeout: 30_000 }, async (engine) => {
  const data = await createTestDatabase(engine);
  const database = data.open();
  await migrate(database, systemClock, MIGRATIONS.slice(0, MIGRATIONS.indexOf(tokensAndNameKeys)));
  const run = (statements: string[]) =>
    database.write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    });
  // "T̈" has a composed form in lower case only, so that its former key was not composed.
  const template = (id: number, name: string, key: string) =>
    `insert into task_templates (id, team_id, name, name_key, tasks, created_at) values (${id}, 1, '${name}', '${key}', '[]', 1)`;
  const account = (id: number, key: string) =>
    `insert into accounts (id, organisation_id, role, username, username_key, email, email_key, user_info, created_at)
      values (${id}, 1, 'member', 'x', '${key}', 'x', '${key}@x', '', 1)`;
  await run([
    "insert into organisations (id, name, created_at) values (1, 'o', 1)",
    "insert into teams (id, organisation_id, name, created_at) values (1, 1, 't', 1)",
    account(1, "mot\u0308t"),
    account(2, "\u1e97om"),
    account(3, "t\u0308om"),
    template(1, "Ｍｉｘ", "ｍｉｘ"),
    template(2, "Mastering", "mastering"),
    "insert into project_groups (id, team_id, name, name_key, created_at) values (1, 1, 'Albums', '', 1)",
  ]);
  await migrate(database, systemClock);
  const keys = async (table: string, column: string) =>
    (await sql<{ key: string | null }>`select ${sql.ref(column)} as key from ${sql.table(table)} order by id`.execute(database.read)).rows.map(
      ({ key }) => key,
    );
  expect(await keys("accounts", "username_key")).toEqual(["mo\u1e97t", "\u1e97om", "t\u0308om"]);
  expect(await keys("accounts", "email_key")).toEqual(["mo\u1e97t@x", "\u1e97om@x", "t\u0308om@x"]);
  expect(await keys("task_templates", "name_key")).toEqual(["mix", "mastering"]);
  if (engine === "postgres") {
    await run([2, 3].map((id) => `insert into project_groups (id, team_id, name, created_at) values (${id}, 1, 'Singles', 1)`));
    expect(await keys("project_groups", "name_key")).toEqual([null, null, null]);
  }
  await database.close();
  await data.drop();
});
