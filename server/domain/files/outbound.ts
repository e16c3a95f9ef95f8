/** Events for webhooks: the row is written in the change's transaction, or not at all. */
import { randomUUID } from "node:crypto";
import type { Tx } from "../../db/schema.ts";

export type OutboundType = "file.uploaded" | "file.renamed" | "file.status_changed" | "task.closed";

export async function recordOutbound(tx: Tx, now: number, organisationId: number, type: OutboundType, data: Record<string, unknown>): Promise<void> {
  await tx
    .insertInto("outbound_events")
    .values({ id: randomUUID(), organisation_id: organisationId, type, data: JSON.stringify(data), created_at: now })
    .execute();
}
