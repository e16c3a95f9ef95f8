/** Runs work as if it had been started before any transaction: the guard takes what a test asks meanwhile for a part of it. */
import { AsyncResource } from "node:async_hooks";

const outsideContext = new AsyncResource("outside");

export const runOutsideTransaction = <T>(work: () => Promise<T>): Promise<T> => outsideContext.runInAsyncScope(work);
