/** What the composition root hands to every module. */
import type { WebhookEventType } from "../../contract/webhook-events.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/schema.ts";
import type { EventLog } from "../events/log.ts";
import type { Signals } from "../events/signals.ts";
import type { Clock } from "../lib/clock.ts";

export interface ModuleDeps {
  database: Database;
  events: EventLog;
  signals: Signals;
  clock: Clock;
  /** Base URL of links that people open. */
  publicUrl: string;
  /** Starts what waits for an event of webhooks, in the transaction that stores it. */
  onWebhookEvent(tx: Tx, type: WebhookEventType, data: object): Promise<void>;
}
