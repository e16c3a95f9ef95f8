/** What happens to the deliveries of a deleted project: nobody sees them, and those that were not sent yet wait until it is restored. */
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Engine } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Tx } from "../../db/schema.ts";
import type { ClaimedDelivery } from "../../delivery/claim.ts";

/** True if the event is of no project, or of one that is not deleted. */
export const isEventVisible = (projectId: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`not exists (select 1 from projects hidden where hidden.id = ${sql.ref(projectId)} and hidden.deleted_at is not null)`;

/**
 * Lets the claimed deliveries of deleted projects wait as if they had not been claimed, and returns the others. The lock makes restoring either find them
 * waiting, or be found here.
 */
export async function postponeHidden(tx: Tx, engine: Engine, claimed: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
  const projectIds = [...new Set(claimed.flatMap(({ event }) => event.project_id ?? []))];
  if (projectIds.length === 0) return [...claimed];
  const deleted = tx.selectFrom("projects").select("id").where("id", "in", projectIds).where("deleted_at", "is not", null).orderBy("id");
  const rows = await lockRows(deleted, engine, "share").execute();
  const hidden = new Set(rows.map(({ id }) => id));
  const isHidden = ({ event }: ClaimedDelivery) => event.project_id !== null && hidden.has(event.project_id);
  const postponed = claimed.filter(isHidden).map(({ delivery }) => delivery.id);
  if (postponed.length > 0)
    await tx
      .updateTable("deliveries")
      .set((eb) => ({ next_attempt_at: null, lease_until: null, lease_token: null, attempts: eb("attempts", "-", 1) }))
      .where("id", "in", postponed)
      .execute();
  return claimed.filter((one) => !isHidden(one));
}

/** Makes the deliveries due that waited while the project was deleted. */
export async function resumeDeliveries(tx: Tx, now: number, projectId: number): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({ next_attempt_at: now })
    .where("state", "=", "pending")
    .where("next_attempt_at", "is", null)
    .where("lease_until", "is", null)
    .where("event_id", "in", (eb) => eb.selectFrom("outbound_events").select("outbound_events.id").where("project_id", "=", projectId))
    .execute();
}
