/**
 * Writes to SQLite, which has one write lock for everybody. All transactions of the process wait in one line. A long one joins it only after the one before
 * has ended, so that a short one waits for at most one long one; and an account whose long ones have kept others waiting waits itself until they have had their share.
 */
import { CompiledQuery } from "kysely";
import { AsyncResource } from "node:async_hooks";
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from "node:timers/promises";
import { type Caller, currentCaller } from "../lib/current-caller.ts";
import { HttpError } from "../lib/errors.ts";
import { isBusy } from "./engine-errors.ts";
import { createFairQueue } from "./fair-queue.ts";
import { createSerialQueue } from "../lib/serial-queue.ts";
import { createSqliteMaintenance } from "./sqlite-maintenance.ts";
import type { Db, Tx } from "./schema.ts";
import { runAfterCommit, runLastSteps, runToCommit, type TransactionHooks, withTransactionHooks, type Write } from "./transaction.ts";

export interface LockShare {
  /** Milliseconds for which an account that has not done so for a while may hold the lock with long transactions. The last of them may take longer. */
  capacityMs: number;
  /** How much of the time it may hold the lock beyond that. */
  share: number;
  /** Transactions up to this long do not count: nobody notices having waited for one. */
  shortMs: number;
}

/** Deleting a folder of 10,000 files holds the lock for about 250 ms on two slow cores: deleting it and undoing that never waits. */
export const LOCK_SHARE: LockShare = { capacityMs: 600, share: 0.03, shortMs: 50 };

/** An organization may hold the lock as long as so many accounts, however many it has. */
const ACCOUNTS_PER_ORGANISATION = 4;

/** Maximum delay between attempts to get the write lock; an importer leaves longer gaps between its writes. */
export const MAX_RETRY_DELAY_MS = 25;

/** Milliseconds after which a transaction that several writes share takes no further one. */
export const MAX_SHARED_MS = 20;

/** Returns another object for each write, because what is known about a transaction, such as which projects it has locked, is kept by its object. */
const asTransaction = (connection: Db): Tx => connection.withoutPlugins() as Tx;

/** Statements that every transaction needs, compiled once. */
const STATEMENTS = {
  begin: CompiledQuery.raw("BEGIN IMMEDIATE"),
  commit: CompiledQuery.raw("COMMIT"),
  rollback: CompiledQuery.raw("ROLLBACK"),
  save: CompiledQuery.raw("SAVEPOINT one_write"),
  undo: CompiledQuery.raw("ROLLBACK TO one_write"),
  release: CompiledQuery.raw("RELEASE one_write"),
};

interface WaitingWrite {
  /** When it fails if another program still has the lock; epoch milliseconds. */
  deadline: number;
  hooks: TransactionHooks;
  /** Runs it within a transaction. Returns what to call after the commit. */
  run(tx: Tx): Promise<() => void>;
  reject(error: unknown): void;
}

export function createSqliteWrites(
  writer: Db,
  backgroundWriter: Db,
  { maxWaitMs, lockShare, maxSharedMs, onCommit }: { maxWaitMs: number; lockShare: LockShare; maxSharedMs: number; onCommit: () => void },
): { write: Write; backgroundWrite: Write; stopMaintenance(): Promise<void> } {
  /** Transactions of both connections run in the order of the calls, so that neither makes the other wait forever. */
  const inLine = createSerialQueue();
  const waiting: WaitingWrite[] = [];
  const maintenance = createSqliteMaintenance(backgroundWriter, inLine);
  const longTransactions = createFairQueue({ atOnce: 1, atOncePerAccount: 1 });
  const accountTimes = createLockTimes(lockShare);
  const organisationTimes = createLockTimes({
    capacityMs: lockShare.capacityMs * ACCOUNTS_PER_ORGANISATION,
    share: lockShare.share * ACCOUNTS_PER_ORGANISATION,
  });

  async function beginImmediate(connection: Db, deadline: number): Promise<void> {
    for (let delayMs = 5; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        await connection.executeQuery(STATEMENTS.begin);
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (Date.now() > deadline) throw new HttpError(503, "The database is in use by another program. Nothing was saved. Try again.", { retryAfter: 2 });
        await sleep(delayMs);
      }
    }
  }

  async function runTransaction<T>(
    connection: Db,
    hooks: TransactionHooks,
    work: (tx: Tx) => Promise<T>,
    deadline: number,
    onEnd: (lockMs: number) => void,
  ): Promise<T> {
    await beginImmediate(connection, deadline);
    const startedAt = performance.now();
    try {
      const result = await runToCommit(hooks, connection as Tx, work);
      await runLastSteps(connection as Tx, [hooks]);
      await connection.executeQuery(STATEMENTS.commit);
      onCommit();
      maintenance.countLongTransaction();
      return result;
    } catch (error) {
      // Fails if a full disk has caused a rollback already, or if the thread has ended, which rolls back too.
      await connection.executeQuery(STATEMENTS.rollback).catch(() => {});
      throw error;
    } finally {
      onEnd(performance.now() - startedAt);
    }
  }

  /** Returns false if the write failed and is undone. Throws if SQLite has rolled back the whole transaction, as it does on a full disk. */
  async function runInSavepoint(connection: Db, { run, reject }: WaitingWrite, confirmations: (() => void)[]): Promise<boolean> {
    await connection.executeQuery(STATEMENTS.save);
    try {
      const confirm = await run(asTransaction(connection));
      await connection.executeQuery(STATEMENTS.release);
      confirmations.push(confirm);
      return true;
    } catch (error) {
      const isUndone = await connection.executeQuery(STATEMENTS.undo).then(
        () => true,
        () => false,
      );
      if (!isUndone) throw error;
      await connection.executeQuery(STATEMENTS.release);
      reject(error);
      return false;
    }
  }

  /**
   * Runs the waiting writes in one transaction, because most of a short write is waiting for the disk at its commit. Each is confirmed after the commit. One
   * that fails is undone alone, and those that come after it stay.
   */
  async function runWaiting(connection: Db): Promise<void> {
    const first = waiting.shift();
    if (!first) return;
    const [unconfirmed, confirmations]: [WaitingWrite[], (() => void)[]] = [[], []];
    try {
      await beginImmediate(connection, first.deadline);
    } catch (error) {
      return first.reject(error);
    }
    const startedAt = performance.now();
    try {
      for (let next: WaitingWrite | undefined = first; next; next = performance.now() - startedAt < maxSharedMs ? waiting.shift() : undefined) {
        unconfirmed.push(next);
        // The first one needs no savepoint: if it fails, so does the transaction.
        if (next === first) confirmations.push(await next.run(asTransaction(connection)));
        else if (!(await runInSavepoint(connection, next, confirmations))) unconfirmed.pop();
      }
      await runLastSteps(
        asTransaction(connection),
        unconfirmed.map(({ hooks }) => hooks),
      );
      await connection.executeQuery(STATEMENTS.commit);
    } catch (error) {
      await connection.executeQuery(STATEMENTS.rollback).catch(() => {});
      for (const { reject } of unconfirmed) reject(error);
      return;
    }
    onCommit();
    maintenance.countWrites(unconfirmed.length);
    for (const confirm of confirmations) confirm();
  }

  function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return withTransactionHooks((hooks) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      // Starts before queueing, so that writes queued behind a lock do not each wait the full time.
      const deadline = Date.now() + maxWaitMs;
      // Whoever runs it, it is part of this transaction and the work of this caller.
      const run = AsyncResource.bind(async (tx: Tx) => {
        const result = await runToCommit(hooks, tx, work);
        return AsyncResource.bind(() => {
          resolve(result);
          runAfterCommit(hooks);
        });
      });
      const own = { deadline, hooks, run, reject };
      waiting.push(own);
      void inLine(async () => {
        // Unless one of the writes before has taken this one along. Then it must not run later ones either, which would overtake a long transaction.
        if (!waiting.includes(own)) return;
        // Statements of SQLite never give others the turn, so without this a write would commit before the requests that arrived at the same moment are read.
        await yieldToEventLoop();
        await writer.connection().execute(runWaiting);
      }).catch(reject);
      return promise;
    });
  }

  /** Runs one of the long transactions when all writes that were called before have run. */
  function joinLine<T>(work: (tx: Tx) => Promise<T>, hooks: TransactionHooks, onEnd: (lockMs: number) => void): Promise<T> {
    const deadline = Date.now() + maxWaitMs;
    return inLine(async () => {
      const result = await backgroundWriter.connection().execute((connection) => runTransaction(connection, hooks, work, deadline, onEnd));
      runAfterCommit(hooks);
      return result;
    });
  }

  /** Resolves when it is the turn of a long transaction of the caller. The function that it returns ends the turn. Throws a 429. */
  async function enterLongTransactions(caller: Caller | null): Promise<() => void> {
    const deadline = performance.now() + maxWaitMs;
    for (;;) {
      const leave = await longTransactions.enter();
      const waitMs = caller === null ? 0 : Math.max(accountTimes.waitMs(caller.accountId), organisationTimes.waitMs(caller.organisationId));
      if (waitMs === 0) return leave;
      leave();
      if (performance.now() + waitMs > deadline) {
        const retryAfter = Math.ceil(waitMs / 1_000);
        throw new HttpError(429, `Too many large changes in a short time. Nothing was saved. Try again in ${retryAfter} s.`, { retryAfter });
      }
      await sleep(waitMs);
    }
  }

  return {
    write,
    stopMaintenance: maintenance.stop,
    backgroundWrite: (work) =>
      withTransactionHooks(async (hooks) => {
        const caller = currentCaller();
        const leave = await enterLongTransactions(caller);
        try {
          return await joinLine(work, hooks, (lockMs) => {
            if (caller === null || waiting.length === 0 || lockMs <= lockShare.shortMs) return;
            accountTimes.add(caller.accountId, lockMs);
            organisationTimes.add(caller.organisationId, lockMs);
          });
        } finally {
          leave();
        }
      }),
  };
}

/** How long each has kept others waiting; the time is forgiven at the rate of its share. */
function createLockTimes({ capacityMs, share }: Pick<LockShare, "capacityMs" | "share">) {
  const times = new Map<number, { heldMs: number; at: number }>();
  function heldMs(id: number): number {
    const time = times.get(id);
    return time ? Math.max(0, time.heldMs - (performance.now() - time.at) * share) : 0;
  }
  return {
    /** Returns the milliseconds until it may hold the lock again. */
    waitMs: (id: number): number => Math.max(0, heldMs(id) - capacityMs) / share,
    add(id: number, lockMs: number): void {
      times.set(id, { heldMs: heldMs(id) + lockMs, at: performance.now() });
    },
  };
}
