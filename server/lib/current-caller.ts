/** The caller for whom the current work is done, so that what takes long can be shared fairly. */
import { AsyncLocalStorage } from "node:async_hooks";
import { currentSpan } from "./instrumentation.ts";

export interface Caller {
  accountId: number;
  organisationId: number;
  /** True while an agent acts. */
  isAgent?: boolean;
  /** The run of an agent's task in which it acts. */
  runId?: number;
}

const callers = new AsyncLocalStorage<Caller>();

/** Runs `work`, and everything that it starts, for this caller. */
export const runForCaller = <T>(caller: Caller, work: () => T): T => callers.run(caller, work);

/** Runs what belongs to the service itself, whoever has caused it. */
export const runForService = <T>(work: () => T): T => callers.exit(() => currentSpan.exit(work));

/** null: the service's own work, or a caller who is not signed in. */
export const currentCaller = (): Caller | null => callers.getStore() ?? null;
