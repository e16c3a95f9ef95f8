/** Lets the caller of a service add its own writes to the transaction in which the service makes its change. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "../db/schema.ts";

interface Hook {
  run: (tx: Tx) => Promise<void>;
  transactions: WeakSet<Tx>;
  isOver: boolean;
}
const hooks = new AsyncLocalStorage<Hook>();

/**
 * Runs `work`, and `hook` in each transaction of it that appends an event, before the first event. What `hook` throws rolls the transaction back. A
 * transaction that appends no event does not run it.
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
}
