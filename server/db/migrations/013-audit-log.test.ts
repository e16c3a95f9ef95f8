import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { auditLog } from "./013-audit-log.ts";

it.each(ENGINES)("changes to accounts get an action for each kind of change on %s", async (engine) => {
  const data = await createTestDatabase(engine);
  const database = data.open();
  await migrate(database, systemClock, MIGRATIONS.slice(0, MIGRATIONS.indexOf(auditLog)));
  const details = [{ role: "admin" }, { role: "guest", disabled: true }, { disabled: true }, { disabled: false }];
  const values = { organisation_id: 1, account_id: 1, action: "account.managed", target: "account:2", created_at: 1 };
  await database.write((tx) =>
    tx
      .insertInto("audit")
      .values([...details.map((detail) => ({ ...values, detail: JSON.stringify(detail) })), { ...values, action: "token.created", detail: "{}" }])
      .execute(),
  );
  await migrate(database, systemClock);
  const rows = await database.read.selectFrom("audit").select(["action", "address", "token_id"]).orderBy("id").execute();
  expect(rows.map(({ action }) => action)).toEqual(["account.role_changed", "account.role_changed", "account.disabled", "account.enabled", "token.created"]);
  expect(rows.every(({ address, token_id }) => address === null && token_id === null)).toBe(true);
  await database.close();
  await data.drop();
});
