/** Provides this tab's id for leases; a reload keeps the id, so that the new page does not wait for a lease of the old one. */
import { randomId } from "../lib/random-id.ts";

const KEY = "talkback.tab";

/** Stores the id only while no page of the tab runs: duplicating a tab copies its storage, and the copy must not take over the id. */
export function loadTabId(storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">, onLeave: (callback: () => void) => void): string {
  let storedId: string | null = null;
  try {
    storedId = storage().getItem(KEY);
    storage().removeItem(KEY);
  } catch {
    // Storage is forbidden, so a reload waits until the lease expires.
  }
  const tabId = storedId ?? randomId();
  onLeave(() => {
    try {
      storage().setItem(KEY, tabId);
    } catch {
      // Storage is forbidden.
    }
  });
  return tabId;
}

export const TAB_ID = loadTabId(
  () => sessionStorage,
  (callback) => globalThis.addEventListener?.("pagehide", callback),
);
