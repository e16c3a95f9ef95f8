/** What the tasks room needs besides the common things. */
import type { Tx } from "../../db/schema.ts";
import type { DomainDeps } from "../deps.ts";

export interface TasksDeps extends DomainDeps {
  /** Writes down for webhooks, in the change's transaction, that a task was closed. `data` is the body's `data`. */
  recordClosed(tx: Tx, now: number, organisationId: number, data: Record<string, unknown>): Promise<void>;
}
