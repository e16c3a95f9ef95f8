/** Lets the caller of a service add its own writes to the transaction in which the service makes its change. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "../db/schema.ts";
import { afterCommit } from "../db/transaction.ts";

interface Hook {
  run: (tx: Tx) => Promise<void>;
  transactions: WeakSet<Tx>;
  isOver: boolean;
}
const hooks = new AsyncLocalStorage<Hook>();

/**
 * Runs `work`, and `run` in the first transaction of it that appends an event, before that event; again only if the transaction is retried. What `run` throws
 * rolls the transaction back. Without an event it does not run.
 */
export async function runWithHook<T>(run: (tx: Tx) => Promise<void>, work: () => Promise<T>): Promise<T> {
  const hook: Hook = { run, transactions: new WeakSet(), isOver: false };
  try {
    return await hooks.run(hook, work);
  } finally {
    hook.isOver = true;
  }
}

/** The event log calls it before it appends. */
export async function beforeFirstEvent(tx: Tx): Promise<void> {
  const hook = hooks.getStore();
  if (!hook || hook.isOver || hook.transactions.has(tx)) return;
  hook.transactions.add(tx);
  await hook.run(tx);
  // What runs after the commit, such as jobs that it has started, is not the work of the caller.
  afterCommit(() => void (hook.isOver = true));
}
