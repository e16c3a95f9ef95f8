/** What is known about the current transaction: it guards against using two connections at once, and collects what precedes and follows the commit. */
import { AsyncLocalStorage } from "node:async_hooks";
import { runForService } from "../lib/current-caller.ts";
import { type TransactionReport, transactions } from "../lib/instrumentation.ts";
import type { Db, Tx } from "./schema.ts";

/** Runs `work` in one transaction. */
export type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export interface TransactionHooks {
  beforeCommit: (() => Promise<void>)[];
  lastSteps: LastStep[];
  afterCommit: (() => void)[];
  report: TransactionReport;
}

/** Work at the very end of a transaction, which writes that share one do together. */
interface LastStep {
  run: (tx: Tx, items: readonly never[]) => Promise<void>;
  item: unknown;
}

const currentTransaction = new AsyncLocalStorage<TransactionHooks>();

function hooksFor(name: keyof TransactionHooks): TransactionHooks {
  const transaction = currentTransaction.getStore();
  if (!transaction) throw new Error(`${name} is for use inside Database.write`);
  return transaction;
}

/** Calls `callback` at the end of the surrounding transaction, within it. */
export function beforeCommit(callback: () => Promise<void>): void {
  hooksFor("beforeCommit").beforeCommit.push(callback);
}

/**
 * Calls `run` once as the last work of the transaction, with the items of all writes that share it, in order. `run` must be the same function each time, and
 * use nothing of the write that registers it. What it throws undoes all of the writes. For work that costs as much for one item as for many, and that nothing
 * else in the transaction depends on.
 */
export function asLastStep<Item>(run: (tx: Tx, items: readonly Item[]) => Promise<void>, item: Item): void {
  hooksFor("lastSteps").lastSteps.push({ run, item });
}

/** Calls `callback` after the surrounding transaction commits; never after a rollback. */
export function afterCommit(callback: () => void): void {
  hooksFor("afterCommit").afterCommit.push(callback);
}

/** Returns the connection for reading unless a transaction is under way. */
export function outsideTransaction(db: Db): Db {
  if (currentTransaction.getStore()) throw new Error("Database.read was used inside a transaction: use its Tx");
  return db;
}

export async function withTransactionHooks<T>(work: (hooks: TransactionHooks) => Promise<T>): Promise<T> {
  if (currentTransaction.getStore()) throw new Error("Database.write was called inside a transaction: use its Tx");
  const hooks: TransactionHooks = { beforeCommit: [], lastSteps: [], afterCommit: [], report: { calledAt: performance.now(), beganAt: null } };
  return transactions.tracePromise(() => currentTransaction.run(hooks, () => work(hooks)), hooks.report);
}

/** Runs `work` and what it has registered for the end of the transaction, except the last steps. */
export async function runToCommit<T>(hooks: TransactionHooks, tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { beforeCommit: callbacks } = hooks;
  hooks.report.beganAt ??= performance.now();
  // What an aborted run has registered is void.
  callbacks.length = hooks.lastSteps.length = hooks.afterCommit.length = 0;
  const result = await work(tx);
  // A callback may register further ones.
  for (const callback of callbacks) await callback();
  return result;
}

/** Runs the last steps of the writes in a transaction, right before its commit. */
export async function runLastSteps(tx: Tx, writes: readonly TransactionHooks[]): Promise<void> {
  const itemsOf = Map.groupBy(
    writes.flatMap(({ lastSteps }) => lastSteps),
    ({ run }) => run,
  );
  for (const [run, steps] of itemsOf)
    await run(
      tx,
      steps.map(({ item }) => item as never),
    );
}

/** The change is committed, so an error in a callback must not reach the caller of `write`. */
export function runAfterCommit({ afterCommit: callbacks }: TransactionHooks): void {
  const run = (): void => {
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  };
  // What a callback starts, such as a delivery, is neither part of the transaction nor work of its caller.
  currentTransaction.exit(() => runForService(run));
}
