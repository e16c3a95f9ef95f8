/** What the deliveries of endpoints say of them: one query each for all that are asked for. */
import { sql } from "kysely";
import type { Db } from "../../db/schema.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import type { EndpointView, HourCount } from "../../presenters/webhooks.ts";

export type Figures = Pick<EndpointView, "lastDeliveredAt" | "heldCount" | "recent">;

const HOURS = 24;
/** How far back Recover goes. */
export const RECOVER_MS = 14 * DAY;

const PLACE = { delivered: "delivered", failed: "failed", pending: "waiting", held: "waiting" } as const;

export async function figuresOf(db: Db, ids: readonly number[], now: number): Promise<Map<number, Figures>> {
  const current = Math.floor(now / HOUR);
  const hours = (): HourCount[] =>
    Array.from({ length: HOURS }, (_, index) => ({ hour: (current - HOURS + 1 + index) * HOUR, delivered: 0, failed: 0, waiting: 0 }));
  const figures = new Map(ids.map((id) => [id, { lastDeliveredAt: null as number | null, heldCount: 0, recent: hours() }]));
  if (ids.length === 0) return figures;

  // By hour, so that each count reads a piece of the index and nothing has to be sorted: ten times as fast as grouping a busy day.
  const { rows } = await sql<{ id: number; state: keyof typeof PLACE; hour: number; count: number }>`
    with hours (hour) as (values ${sql.join(hours().map(({ hour }) => sql`(${sql.lit(hour)})`))}),
      states (state) as (values ${sql.join(Object.keys(PLACE).map((state) => sql`(${sql.lit(state)})`))})
    select e.id, states.state, hours.hour, (
      select count(*) from deliveries d
      where d.endpoint_id = e.id and d.state = states.state and d.is_test = 0
        and d.created_at >= hours.hour and d.created_at < hours.hour + ${sql.lit(HOUR)}
    ) as count
    from webhook_endpoints e, states, hours
    where e.id in (${sql.join(ids)})`.execute(db);
  for (const { id, state, hour, count } of rows) {
    const of = figures.get(id)?.recent[hour / HOUR - current + HOURS - 1];
    if (of) of[PLACE[state]] += count;
  }

  const held = await db
    .selectFrom("deliveries")
    .select(["endpoint_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where("endpoint_id", "in", ids)
    .where("state", "=", "held")
    .where("created_at", ">=", now - RECOVER_MS)
    .groupBy("endpoint_id")
    .execute();
  for (const { endpoint_id, count } of held) figures.get(endpoint_id)!.heldCount = count;

  // The state is written out as well: only then SQLite sees that its index of delivered ones fits.
  const last = await db
    .selectFrom("webhook_endpoints")
    .select(["id", sql<number | null>`(select max(done_at) from deliveries where endpoint_id = webhook_endpoints.id and state = 'delivered')`.as("at")])
    .where("id", "in", ids)
    .execute();
  for (const { id, at } of last) figures.get(id)!.lastDeliveredAt = at;
  return figures;
}
