/** Which page of the browser has a chosen status: by the browser's locks, which end with their page; where there are none, by time. */
import type { PendingStatusStoreDeps } from "./choice-keeper.ts";

/** A choice counts after seconds: what was written earlier than this in another tab was left there. */
const ABANDONED_AFTER_MS = 20_000;

export const createStatusClaims =
  (name: string, tab: string, locks: LockManager | null = globalThis.navigator?.locks ?? null): PendingStatusStoreDeps["claim"] =>
  (id, found) => {
    if (!locks) {
      if (!found) return () => {};
      const { stored, onAcquired } = found;
      // A reload keeps the tab's name.
      const timer = setTimeout(onAcquired, stored.tab === tab ? 0 : Math.max(0, stored.at + ABANDONED_AFTER_MS - Date.now()));
      return () => clearTimeout(timer);
    }
    const abortController = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    locks
      .request(`${name}:${id}`, { signal: abortController.signal }, () => {
        found?.onAcquired();
        return promise;
      })
      .catch(() => undefined);
    return () => {
      abortController.abort();
      resolve();
    };
  };
