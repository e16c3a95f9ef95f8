/** Starts the delivery of webhooks: those of the organizations, and those that the dispatcher stores for agents. */
import { SECOND } from "../../lib/clock.ts";
import { postponeHidden } from "../webhooks/deleted-projects.ts";
import { startDelivery, type DeliveryOptions } from "../webhooks/start-delivery.ts";
import { createDispatcher } from "./dispatch.ts";
import { withdrawUnseen } from "./withdraw.ts";

/** Events may be written by another process, which does not wake this one. */
const POLL_INTERVAL_MS = SECOND;

/** Returns a function that stops it. */
export function startDelivering(options: Omit<DeliveryOptions, "selectSendable">): () => Promise<void> {
  const { webhookDeps, warn } = options;
  const { engine } = webhookDeps.database;
  const delivery = startDelivery({
    ...options,
    selectSendable: async (tx, claimed) => withdrawUnseen(tx, webhookDeps, await postponeHidden(tx, engine, claimed)),
  });
  const dispatcher = createDispatcher(webhookDeps);
  let isStopped = false;
  let isRequested = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (isRequested && !isStopped) {
      isRequested = false;
      await dispatcher.dispatch(() => isStopped);
      delivery.wake();
    }
  }
  function wake(): void {
    isRequested = true;
    running ??= run()
      .catch((error: unknown) => warn(error, "events for agents could not be stored"))
      .finally(() => (running = null));
  }

  webhookDeps.events.onCommit(({ topic }) => {
    if (!isStopped && topic.startsWith("project:")) wake();
  });
  const timer = setInterval(wake, POLL_INTERVAL_MS).unref();
  wake();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
    await delivery.stop();
  };
}
