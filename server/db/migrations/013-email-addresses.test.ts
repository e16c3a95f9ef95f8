import { sql } from "kysely";
import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { isUniqueViolationOf } from "../engine-errors.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { emailAddresses } from "./013-email-addresses.ts";

it.each(ENGINES)("email addresses become unique within an organization, and everything that refers to accounts stays, on %s", async (engine) => {
  const data = await createTestDatabase(engine);
  const database = data.open();
  await migrate(database, systemClock, MIGRATIONS.slice(0, MIGRATIONS.indexOf(emailAddresses)));
  const insertAccount = (organisation: number, name: string, email: string) =>
    database.write((tx) =>
      tx
        .insertInto("accounts")
        .values({
          organisation_id: organisation,
          role: "member",
          username: name,
          username_key: name,
          email,
          email_key: email,
          user_info: `of ${name}`,
          created_at: 5,
        })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
  await database.write((tx) =>
    tx
      .insertInto("organisations")
      .values([
        { name: "One", created_at: 1 },
        { name: "Two", created_at: 1 },
      ])
      .execute(),
  );
  const [first] = [await insertAccount(1, "first", "a@b.test"), await insertAccount(1, "second", "c@d.test")];
  const last = await insertAccount(2, "gone", "gone@b.test");
  await database.write(async (tx) => {
    await tx.deleteFrom("accounts").where("id", "=", last.id).execute();
    await tx.insertInto("sessions").values({ account_id: first.id, token_hash: "x", user_agent: "", address: "", created_at: 1, last_seen_at: 1 }).execute();
  });
  const columns = ["id", "organisation_id", "role", "username", "username_key", "email", "email_key", "user_info", "password_hash", "created_at"] as const;
  const accounts = () => database.read.selectFrom("accounts").select(columns).orderBy("id").execute();
  const before = await accounts();
  await expect(insertAccount(2, "third", "a@b.test")).rejects.toThrow(/unique/i);

  await migrate(database, systemClock);
  expect(await accounts()).toEqual(before);
  const third = await insertAccount(2, "third", "a@b.test");
  // Ids are not used again.
  expect(third.id).toBeGreaterThan(last.id);
  const again = await insertAccount(2, "fourth", "a@b.test").catch((error: unknown) => error);
  expect(isUniqueViolationOf(again, "email_key")).toBe(true);
  const sameName = await insertAccount(2, "first", "other@b.test").catch((error: unknown) => error);
  expect(isUniqueViolationOf(sameName, "username_key")).toBe(true);
  const orphan = { account_id: 999, token_hash: "y", user_agent: "", address: "", created_at: 1, last_seen_at: 1 };
  await expect(database.write((tx) => tx.insertInto("sessions").values(orphan).execute())).rejects.toThrow(/foreign key/i);
  await expect(database.write((tx) => tx.deleteFrom("accounts").where("id", "=", first.id).execute())).rejects.toThrow(/foreign key/i);
  if (engine === "sqlite") {
    expect((await sql`pragma foreign_key_check`.execute(database.read)).rows).toEqual([]);
    const { rows } = await sql<{ name: string }>`select name from sqlite_schema where tbl_name = 'accounts' and sql is not null order by name`.execute(
      database.read,
    );
    expect(rows.map(({ name }) => name)).toEqual(["accounts", "accounts_email_key", "accounts_organisation"]);
  }
  await database.close();
  await data.drop();
});
