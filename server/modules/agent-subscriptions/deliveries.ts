/** The delivery log of event subscriptions. The delivery engine does the sending. */
import type { DeliveryState } from "../../../contract/webhook-records.ts";
import type { Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { Db, Row } from "../../db/schema.ts";
import { conflict, notFound } from "../../lib/errors.ts";
import { loadDeliveryPage, makeDueByHand, type DeliveryWithAttempts } from "../webhooks/deliveries.ts";
import type { WebhookDeps } from "../webhooks/deps.ts";
import type { DeliveryView } from "../webhooks/presenter.ts";
import { loadAttempts, loadDeliveryViews } from "../webhooks/repository.ts";
import { loadReach } from "./reach.ts";
import { loadSubscription, lockSubscription, type Subscription } from "./repository.ts";

export interface DeliveryKey {
  agentId: number;
  subscriptionId: number;
  deliveryId: number;
}

export function createSubscriptionDeliveries({ database, clock }: Pick<WebhookDeps, "database" | "clock">) {
  async function loadDelivery(db: Db, { id: subscriptionId }: Subscription, id: number): Promise<Row<"deliveries">> {
    const delivery = await db.selectFrom("deliveries").selectAll().where("id", "=", id).where("endpoint_id", "=", subscriptionId).executeTakeFirst();
    if (!delivery) throw notFound("delivery");
    return delivery;
  }
  async function loadView(db: Db, delivery: Row<"deliveries">): Promise<DeliveryView> {
    const [view] = await loadDeliveryViews(db, [delivery]);
    if (!view) throw new Error(`delivery ${delivery.id} has no event`);
    return view;
  }

  return {
    /** Returns a page, newest first. */
    async list(actor: Actor, agentId: number, subscriptionId: number, state: DeliveryState | undefined, page: { after: number; limit: number }) {
      const { backgroundRead: read } = database;
      const { id } = await loadSubscription(read, actor, agentId, subscriptionId);
      return loadDeliveryPage(read, id, { state }, page);
    },

    async get(actor: Actor, { agentId, subscriptionId, deliveryId }: DeliveryKey): Promise<DeliveryWithAttempts> {
      const { read } = database;
      const delivery = await loadDelivery(read, await loadSubscription(read, actor, agentId, subscriptionId), deliveryId);
      return { view: await loadView(read, delivery), attempts: await loadAttempts(read, delivery.id) };
    },

    /** Sends a delivery now with the same id; a pending retry becomes this attempt. */
    redeliver: (actor: Actor, { agentId, subscriptionId, deliveryId }: DeliveryKey): Promise<DeliveryView> =>
      database.write(async (tx) => {
        const subscription = await lockSubscription(tx, database.engine, actor, agentId, subscriptionId);
        const delivery = await loadDelivery(tx, subscription, deliveryId);
        if (subscription.enabled === 0) throw conflict("The subscription is paused or disabled. Resume it first.");
        const { event } = await loadView(tx, delivery);
        const reach = await loadReach(tx, subscription, event.project_id ?? 0, clock.now());
        if (!reach?.canReceive(delivery.event_type)) throw conflict("The agent is paused, or may no longer read this event.");
        if (await makeDueByHand(tx, clock.now(), delivery))
          await auditActor(tx, clock.now(), actor, "agent_subscription.redelivered", `delivery:${deliveryId}`, { endpoint_id: subscriptionId });
        return loadView(tx, await loadDelivery(tx, subscription, deliveryId));
      }),
  };
}
