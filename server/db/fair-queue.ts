/** Lets a number of operations run at a time. Waiting ones start in turn by account, so that one account with many of them does not delay the others. */
import type { DatabaseConnection, Driver } from "kysely";
import { currentAccountId } from "../lib/current-account.ts";

export interface FairQueueOptions {
  atOnce: number;
  /** Of one account. The service's own operations count as those of one more account. */
  atOncePerAccount: number;
}

interface AccountState {
  active: number;
  waiting: (() => void)[];
}

export type FairQueue = ReturnType<typeof createFairQueue>;

export function createFairQueue({ atOnce, atOncePerAccount }: FairQueueOptions) {
  /** In the order in which accounts get their next turn. */
  const accounts = new Map<number | null, AccountState>();
  let active = 0;

  function startNext(): void {
    for (const [id, state] of accounts) {
      if (active >= atOnce) return;
      if (state.active >= atOncePerAccount) continue;
      const start = state.waiting.shift();
      if (!start) continue;
      accounts.delete(id);
      accounts.set(id, state);
      state.active += 1;
      active += 1;
      start();
    }
  }

  return {
    /** Resolves when it is the turn of an operation of the current account. The function that it returns ends the turn. */
    async enter(): Promise<() => void> {
      const id = currentAccountId();
      const state = accounts.get(id) ?? { active: 0, waiting: [] };
      accounts.set(id, state);
      const { promise, resolve } = Promise.withResolvers<void>();
      state.waiting.push(resolve);
      startNext();
      await promise;
      return () => {
        state.active -= 1;
        active -= 1;
        if (state.active === 0 && state.waiting.length === 0) accounts.delete(id);
        startNext();
      };
    },
  };
}

/** Makes a driver give out its connections by the turns of a queue. */
export function shareConnections(driver: Driver, queue: FairQueue): Driver {
  const [acquire, release] = [driver.acquireConnection.bind(driver), driver.releaseConnection.bind(driver)];
  const turns = new Map<DatabaseConnection, () => void>();
  driver.acquireConnection = async (options) => {
    const leave = await queue.enter();
    try {
      const connection = await acquire(options);
      turns.set(connection, leave);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  };
  driver.releaseConnection = async (connection) => {
    const leave = turns.get(connection);
    turns.delete(connection);
    try {
      await release(connection);
    } finally {
      leave?.();
    }
  };
  return driver;
}
