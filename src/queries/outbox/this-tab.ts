/** This tab's name among those of the browser, for leases: a reload keeps it, so that nobody waits for one's own earlier page. */
import { randomId } from "../../lib/random-id.ts";

const KEY = "talkback.tab";

/** Written down only while no page of the tab runs: a tab that is duplicated copies its storage and must not take over the name. */
export function loadTabId(storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">, onLeave: (callback: () => void) => void): string {
  let storedId: string | null = null;
  try {
    storedId = storage().getItem(KEY);
    storage().removeItem(KEY);
  } catch {
    // Forbidden: then a reload waits until the lease ends.
  }
  const tabId = storedId ?? randomId();
  onLeave(() => {
    try {
      storage().setItem(KEY, tabId);
    } catch {
      // As above.
    }
  });
  return tabId;
}

export const TAB_ID = loadTabId(
  () => sessionStorage,
  (callback) => globalThis.addEventListener?.("pagehide", callback),
);
