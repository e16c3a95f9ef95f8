/** Which page of the browser has a chosen status: by the browser's locks, which end with their page; where there are none, by time. */
import type { KeeperDeps } from "./choice-keeper.ts";

/** A choice counts after seconds: what was written earlier than this in another tab was left there. */
const LEFT_AFTER_MS = 20_000;

export const claimsOf =
  (name: string, tab: string, locks: LockManager | null = globalThis.navigator?.locks ?? null): KeeperDeps["claim"] =>
  (id, found) => {
    if (!locks) {
      if (!found) return () => {};
      const { kept, mine } = found;
      // A reload keeps the tab's name.
      const timer = setTimeout(mine, kept.tab === tab ? 0 : Math.max(0, kept.at + LEFT_AFTER_MS - Date.now()));
      return () => clearTimeout(timer);
    }
    const waiting = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    locks
      .request(`${name}:${id}`, { signal: waiting.signal }, () => {
        found?.mine();
        return promise;
      })
      .catch(() => undefined);
    return () => {
      waiting.abort();
      resolve();
    };
  };
