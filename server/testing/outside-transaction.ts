/** Runs work outside the async context of an open transaction, since the database would treat it as part of that transaction. */
import { AsyncResource } from "node:async_hooks";

const outsideContext = new AsyncResource("outside");

export const runOutsideTransaction = <T>(work: () => Promise<T>): Promise<T> => outsideContext.runInAsyncScope(work);
