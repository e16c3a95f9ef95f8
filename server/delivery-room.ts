/** Joins the room that delivers webhooks to the domain that writes them: what it sends, what it tells, what wakes it. */
import { createGuard, type GuardOptions } from "./delivery/guard.ts";
import { startEngine } from "./delivery/engine.ts";
import { endLeases } from "./delivery/leases.ts";
import { createSender } from "./delivery/send.ts";
import type { WebhookDeps } from "./domain/webhooks/deps.ts";
import { createTell } from "./domain/webhooks/tell.ts";
import { followPostgres } from "./events/postgres-neighbours.ts";

export interface DeliveryOptions {
  hooks: WebhookDeps;
  /** What the operator allows. */
  rules: GuardOptions;
  warn(error: unknown, message: string): void;
}

/** Gives back at once what a killed process had under way. Only for who is alone with its data. */
export const reclaimDeliveries = ({ database, clock }: Pick<WebhookDeps, "database" | "clock">): Promise<void> =>
  database.write((tx) => endLeases(tx, database.engine, clock.now(), [], true));

/** Sends from now on what is due, woken by every change of a delivery, here or in another process. Answers the way to stop it. */
export function startDelivery({ hooks, rules, warn }: DeliveryOptions): () => Promise<void> {
  const { database, clock, events, secrets } = hooks;
  const engine = startEngine({
    database,
    clock,
    sender: createSender(createGuard(rules), { clock }),
    tell: createTell(hooks),
    secretsOf: (endpoint, now) => secrets.secretsOf(endpoint, now),
    warn,
  });
  events.onCommit(({ type }) => {
    if (type === "delivery.updated") engine.wake();
  });
  const neighbours =
    database.engine === "postgres"
      ? followPostgres(
          { database, origin: events.origin, warn },
          { written: (topic) => void (topic.startsWith("organisation:") && engine.wake()), doubt: () => engine.wake(), isWanted: () => true },
        )
      : null;
  void neighbours?.ready();
  return async () => {
    await neighbours?.stop();
    await engine.stop();
  };
}
