/** Connects the delivery engine to the domain: sending, publishing results, and waking on changed deliveries. */
import { startDeliveryEngine, type SelectSendable } from "../../delivery/engine.ts";
import { createGuard, type GuardOptions } from "../../delivery/guard.ts";
import { releaseLeases } from "../../delivery/leases.ts";
import { createSender } from "../../delivery/send.ts";
import { listenToPostgres } from "../../events/postgres-notifications.ts";
import { MINUTE } from "../../lib/clock.ts";
import type { WebhookDeps } from "./deps.ts";
import { pauseEndpointsOfExpiredTokens } from "./ended-tokens.ts";
import { createDeliveryPublisher } from "./publisher.ts";

/** An endpoint is paused so long after its token has expired at most. New events are held at once. */
const TOKEN_CHECK_MS = MINUTE;

export interface DeliveryOptions {
  webhookDeps: WebhookDeps;
  /** Endpoint addresses that the operator allows. */
  guardOptions: GuardOptions;
  warn(error: unknown, message: string): void;
  selectSendable: SelectSendable;
}

/** Releases the deliveries that a killed process was sending. Call it only while no other process uses the database. */
export const releaseAbandonedDeliveries = ({ database, clock }: Pick<WebhookDeps, "database" | "clock">): Promise<void> =>
  database.write((tx) => releaseLeases(tx, database.engine, clock.now(), [], true));

/** Starts sending due deliveries, woken by every change of a delivery here or in another process. */
export function startDelivery({ webhookDeps, guardOptions, warn, selectSendable }: DeliveryOptions): { wake(): void; stop(): Promise<void> } {
  const { database, clock, events, secrets } = webhookDeps;
  const engine = startDeliveryEngine({
    database,
    clock,
    sender: createSender(createGuard(guardOptions), { clock }),
    publisher: createDeliveryPublisher(webhookDeps),
    decryptSecrets: (endpoint, now) => secrets.decryptSecrets(endpoint, now),
    selectSendable,
    warn,
  });
  events.onCommit(({ type }) => {
    if (type === "delivery.updated") engine.wake();
  });
  const notificationSource =
    database.engine === "postgres"
      ? listenToPostgres(
          { database, origin: events.origin, warn },
          { onEventWritten: (topic) => void (topic.startsWith("organisation:") && engine.wake()), onMissed: () => engine.wake(), hasListeners: () => true },
        )
      : null;
  void notificationSource?.ready();
  const checkTokens = () => void pauseEndpointsOfExpiredTokens(webhookDeps).catch((error: unknown) => warn(error, "expired tokens: could not be checked"));
  const tokenTimer = setInterval(checkTokens, TOKEN_CHECK_MS).unref();
  checkTokens();
  return {
    wake: () => engine.wake(),
    async stop() {
      clearInterval(tokenTimer);
      await notificationSource?.stop();
      await engine.stop();
    },
  };
}
