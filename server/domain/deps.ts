/** What every domain service is given. */
import type { Database } from "../db/database.ts";
import type { EventLog } from "../events/log.ts";
import type { Signals } from "../events/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { FilePresenters } from "../presenters/files.ts";

export interface DomainDeps {
  database: Database;
  events: EventLog;
  signals: Signals;
  clock: Clock;
  /** For links that people open. */
  publicUrl: string;
  /** Media addresses depend on where the service is reached. */
  present: FilePresenters;
}
