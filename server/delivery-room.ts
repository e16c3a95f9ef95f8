/** Joins the room that delivers webhooks to the domain that writes them: what it sends, what it tells, what wakes it. */
import { createGuard, type GuardOptions } from "./delivery/guard.ts";
import { startDeliveryEngine } from "./delivery/engine.ts";
import { releaseLeases } from "./delivery/leases.ts";
import { createSender } from "./delivery/send.ts";
import type { WebhookDeps } from "./domain/webhooks/deps.ts";
import { createDeliveryPublisher } from "./domain/webhooks/tell.ts";
import { listenToPostgres } from "./events/postgres-neighbours.ts";

export interface DeliveryOptions {
  webhookDeps: WebhookDeps;
  /** What the operator allows. */
  guardOptions: GuardOptions;
  warn(error: unknown, message: string): void;
}

/** Gives back at once what a killed process had under way. Only for who is alone with its data. */
export const reclaimDeliveries = ({ database, clock }: Pick<WebhookDeps, "database" | "clock">): Promise<void> =>
  database.write((tx) => releaseLeases(tx, database.engine, clock.now(), [], true));

/** Sends from now on what is due, woken by every change of a delivery, here or in another process. Answers the way to stop it. */
export function startDelivery({ webhookDeps, guardOptions, warn }: DeliveryOptions): () => Promise<void> {
  const { database, clock, events, secrets } = webhookDeps;
  const engine = startDeliveryEngine({
    database,
    clock,
    sender: createSender(createGuard(guardOptions), { clock }),
    publisher: createDeliveryPublisher(webhookDeps),
    secretsOf: (endpoint, now) => secrets.secretsOf(endpoint, now),
    warn,
  });
  events.onCommit(({ type }) => {
    if (type === "delivery.updated") engine.wake();
  });
  const notificationSource =
    database.engine === "postgres"
      ? listenToPostgres(
          { database, origin: events.origin, warn },
          { onEventWritten: (topic) => void (topic.startsWith("organisation:") && engine.wake()), missed: () => engine.wake(), hasListeners: () => true },
        )
      : null;
  void notificationSource?.ready();
  return async () => {
    await notificationSource?.stop();
    await engine.stop();
  };
}
