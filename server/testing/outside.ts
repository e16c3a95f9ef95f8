/** Runs work as if it had been started before any transaction: the guard takes what a test asks meanwhile for a part of it. */
import { AsyncResource } from "node:async_hooks";

const outside = new AsyncResource("outside");

export const outsideTransactions = <T>(work: () => Promise<T>): Promise<T> => outside.runInAsyncScope(work);
