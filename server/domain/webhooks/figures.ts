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

  const counts = await db
    .selectFrom("deliveries")
    // Written out: a bound number would be a fraction's divisor on SQLite.
    .select(["endpoint_id", "state", sql<number>`created_at / ${sql.lit(HOUR)}`.as("hour"), (eb) => eb.fn.countAll<number>().as("count")])
    .where("endpoint_id", "in", ids)
    .where("state", "in", ["delivered", "failed", "pending", "held"])
    .where("created_at", ">=", (current - HOURS + 1) * HOUR)
    .where("is_test", "=", 0)
    .groupBy(["endpoint_id", "state", "hour"])
    .execute();
  for (const { endpoint_id, state, hour, count } of counts) {
    const of = figures.get(endpoint_id)?.recent[hour - current + HOURS - 1];
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
