/** Tests that nobody counts as confirmed after the migration, and that whoever had unsubscribed stays so until the address is confirmed. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { confirmedAddresses } from "./027-confirmed-addresses.ts";

it.each(ENGINES)("who unsubscribed stays unsubscribed, and queued emails stay, on %s", { timeout: 30_000 }, async (engine) => {
  const data = await createTestDatabase(engine);
  const database = data.open();
  await migrate(database, systemClock, MIGRATIONS.slice(0, MIGRATIONS.indexOf(confirmedAddresses)));
  const account = (id: number) =>
    `insert into accounts (id, organisation_id, role, username, username_key, email, email_key, user_info, created_at)
      values (${id}, 1, 'member', 'x', '${id}', 'X${id}', 'x${id}', '', 1)`;
  await database.write(async (tx) => {
    for (const statement of [
      "insert into organisations (id, name, created_at) values (1, 'o', 1)",
      ...[1, 2].map(account),
      "insert into mail_opt_outs (account_id, created_at) values (2, 5)",
      `insert into notification_deliveries (account_id, channel, is_test, is_digest, state, next_attempt_at, created_at) values (1, 'mail', 0, 1, 'pending', 9, 4)`,
    ])
      await sql.raw(statement).execute(tx);
  });
  await migrate(database, systemClock);
  const { read } = database;
  expect(await read.selectFrom("confirmed_addresses").selectAll().execute()).toEqual([]);
  expect(await read.selectFrom("address_opt_outs").selectAll().execute()).toEqual([{ email_key: "x2", account_id: 2, created_at: 5 }]);
  expect(await read.selectFrom("mail_opt_outs").selectAll().execute()).toEqual([{ account_id: 2, created_at: 5 }]);
  expect(await read.selectFrom("notification_deliveries").select(["state", "next_attempt_at", "confirms_email_key"]).execute()).toEqual([
    { state: "pending", next_attempt_at: 9, confirms_email_key: null },
  ]);
  await database.close();
  await data.drop();
});
