/** Gives webhook events of earlier versions their project, which stood only in their data, and indexes it. */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Events of one statement. */
const BATCH_SIZE = 10_000;

export const projectsOfWebhookEvents: Migration = {
  name: "044-projects-of-webhook-events",
  async up(tx, engine) {
    const project =
      engine === "postgres"
        ? sql`(case when data::json ->> 'project_id' ~ '^[0-9]{1,15}$' then (data::json ->> 'project_id')::bigint end)`
        : sql`(case when json_type(data, '$.project_id') = 'integer' then data ->> 'project_id' end)`;
    for (let last = ""; ;) {
      const { rows } = await sql<{ next: string | null }>`select max(id) as next
        from (select id from outbound_events where id > ${last} order by id limit ${BATCH_SIZE}) as batch`.execute(tx);
      const next = rows[0]?.next ?? null;
      if (next === null) break;
      // The data of a test is an example, whose project is none of this service.
      await sql`update outbound_events set project_id = ${project} where id > ${last} and id <= ${next} and project_id is null
        and not exists (select 1 from deliveries where deliveries.event_id = outbound_events.id and deliveries.is_test = 1)`.execute(tx);
      last = next;
    }
    await tx.schema.createIndex("outbound_events_project").on("outbound_events").column("project_id").where("project_id", "is not", null).execute();
  },
};
