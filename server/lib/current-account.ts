/** The account for which the current work is done, so that what takes long can be shared fairly between accounts. */
import { AsyncLocalStorage } from "node:async_hooks";

const accountIds = new AsyncLocalStorage<number>();

/** Runs `work`, and everything that it starts, for this account. */
export const runForAccount = <T>(accountId: number, work: () => T): T => accountIds.run(accountId, work);

/** Null: the service's own work, or a caller who is not signed in. */
export const currentAccountId = (): number | null => accountIds.getStore() ?? null;
