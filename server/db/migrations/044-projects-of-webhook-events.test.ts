/** Tests that the migration gives webhook events the project that is in their data, but not tests. */
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { insertAnyRow } from "../../testing/database-rows.ts";
import { createTestDatabase, ENGINES } from "../../testing/engines.ts";
import { migrate, MIGRATIONS } from "../migrate.ts";
import { projectsOfWebhookEvents } from "./044-projects-of-webhook-events.ts";

it.each(ENGINES)("webhook events get the project in their data, on %s", { timeout: 60_000 }, async (engine) => {
  const data = await createTestDatabase(engine);
  const database = data.open();
  onTestFinished(async () => {
    await database.close();
    await data.drop();
  });
  await migrate(database, systemClock, MIGRATIONS.slice(0, MIGRATIONS.indexOf(projectsOfWebhookEvents)));
  const datas: Record<string, [data: object, projectId: number | null]> = {
    old: [{ id: 4, project_id: 7 }, null],
    agent: [{ event: { project_id: 9 } }, 8],
    nested: [{ file: { project_id: 7 } }, null],
    odd: [{ project_id: "seven" }, null],
    test: [{ project_id: 12 }, null],
  };
  await database.write(async (tx) => {
    for (const statement of [
      "insert into organisations (id, name, created_at) values (1, 'o', 1)",
      "insert into accounts (id, organisation_id, role, username, username_key, email, email_key, user_info, created_at) values (1, 1, 'member', 'x', '1', 'x', '1', '', 1)",
    ])
      await sql.raw(statement).execute(tx);
    const endpoint_id = await insertAnyRow(tx, "webhook_endpoints", { organisation_id: 1, created_by: 1, event_types: "[]" });
    for (const [id, [content, project_id]] of Object.entries(datas)) {
      const event = { id, organisation_id: 1, type: "file.uploaded", data: JSON.stringify(content), created_at: 1, project_id };
      await tx.insertInto("outbound_events").values(event).execute();
      await insertAnyRow(tx, "deliveries", { endpoint_id, event_id: id, is_test: id === "test" ? 1 : 0, state: "delivered" });
    }
  });
  await migrate(database, systemClock);
  const rows = await database.read.selectFrom("outbound_events").select(["id", "project_id"]).execute();
  expect(Object.fromEntries(rows.map(({ id, project_id }) => [id, project_id]))).toEqual({ old: 7, agent: 8, nested: null, odd: null, test: null });
});
