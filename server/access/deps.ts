/** What the composition root hands to every module. */
import type { Database } from "../db/database.ts";
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
}
