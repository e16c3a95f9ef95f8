/**
 * Lets a number of operations run at a time. Waiting ones start by turns of the organizations, and within one of its accounts, so that neither an account with
 * many of them nor an organization with many accounts delays the others.
 */
import type { DatabaseConnection, Driver } from "kysely";
import { currentCaller } from "../lib/current-caller.ts";

export interface FairQueueOptions {
  atOnce: number;
  /** Of one account; the service's own operations have no such limit. */
  atOncePerAccount: number;
}

interface Waiting {
  /** null: the service itself. */
  accountId: number | null;
  organisationId: number | null;
  start(): void;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

export function createFairQueue({ atOnce, atOncePerAccount }: FairQueueOptions) {
  const waiting: Waiting[] = [];
  const activeOfAccount = new Map<number, number>();
  /** Numbers of the last turns, of organizations and of accounts. */
  const organisationTurns = new Map<number | null, number>();
  const accountTurns = new Map<number | null, number>();
  let [active, turn] = [0, 0];

  const isReady = ({ accountId }: Waiting): boolean => accountId === null || (activeOfAccount.get(accountId) ?? 0) < atOncePerAccount;

  /** Negative if `a` comes before `b`: its organization, or else its account, had its last turn longer ago. */
  const compareTurns = (a: Waiting, b: Waiting): number =>
    (organisationTurns.get(a.organisationId) ?? 0) - (organisationTurns.get(b.organisationId) ?? 0) ||
    (accountTurns.get(a.accountId) ?? 0) - (accountTurns.get(b.accountId) ?? 0);

  function changeActive({ accountId }: Waiting, change: 1 | -1): void {
    active += change;
    if (accountId === null) return;
    const count = (activeOfAccount.get(accountId) ?? 0) + change;
    if (count > 0) activeOfAccount.set(accountId, count);
    else activeOfAccount.delete(accountId);
  }

  function startNext(): void {
    while (active < atOnce) {
      const next = waiting.filter(isReady).reduce<Waiting | null>((first, other) => (first === null || compareTurns(other, first) < 0 ? other : first), null);
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      turn += 1;
      organisationTurns.set(next.organisationId, turn);
      accountTurns.set(next.accountId, turn);
      changeActive(next, 1);
      next.start();
    }
  }

  return {
    /** Resolves when it is the turn of an operation of the current caller. The function that it returns ends the turn. */
    async enter(): Promise<() => void> {
      const caller = currentCaller();
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry: Waiting = { accountId: caller?.accountId ?? null, organisationId: caller?.organisationId ?? null, start: resolve };
      waiting.push(entry);
      startNext();
      await promise;
      return () => {
        changeActive(entry, -1);
        startNext();
        if (active > 0) return;
        organisationTurns.clear();
        accountTurns.clear();
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
