/** Dependencies of every domain service. */
import type { Database } from "../db/database.ts";
import type { EventLog } from "../events/log.ts";
import type { Signals } from "../events/signals.ts";
import type { Clock } from "../lib/clock.ts";
import type { FilePresenters } from "../modules/files/presenter.ts";

export interface DomainDeps {
  database: Database;
  events: EventLog;
  signals: Signals;
  clock: Clock;
  /** Base URL of links that people open. */
  publicUrl: string;
  /** Media URLs depend on the service's public URL. */
  present: FilePresenters;
}
