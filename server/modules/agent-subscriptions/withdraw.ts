/** Checks before each attempt that the agent may still be sent the event. */
import type { Tx } from "../../db/schema.ts";
import type { ClaimedDelivery } from "../../delivery/claim.ts";
import type { Clock } from "../../lib/clock.ts";
import { loadReach } from "./reach.ts";

/** Ends the claimed deliveries that their agents may no longer be sent, and returns the others. */
export async function withdrawUnseen(tx: Tx, { clock }: { clock: Pick<Clock, "now"> }, claimed: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
  const remaining: ClaimedDelivery[] = [];
  for (const one of claimed) {
    const { delivery, endpoint, event } = one;
    const { agent_id } = endpoint;
    if (agent_id !== null && event.project_id !== null) {
      const now = clock.now();
      const reach = await loadReach(tx, { ...endpoint, agent_id }, event.project_id, now);
      if (!reach?.canReceive(delivery.event_type)) {
        const state = { state: "failed", next_attempt_at: null, done_at: now, by_hand: 0, lease_until: null, lease_token: null } as const;
        await tx.updateTable("deliveries").set(state).where("id", "=", delivery.id).execute();
        continue;
      }
    }
    remaining.push(one);
  }
  return remaining;
}
