/** Provides this tab's id for leases; a reload keeps the id, so that the new page does not wait for a lease of the old one. */
import { randomId } from "../lib/random-id.ts";

const KEY = "talkback.tab";

/**
 * Returns the id, and the function that ends storing it. The id is stored only while no page of the tab runs: duplicating a tab copies its storage, and the
 * copy must not take over the id.
 */
export function loadTabId(
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">,
  page: Pick<EventTarget, "addEventListener" | "removeEventListener">,
): { tabId: string; dispose(): void } {
  let storedId: string | null = null;
  try {
    storedId = storage().getItem(KEY);
    storage().removeItem(KEY);
  } catch {
    // Storage is forbidden, so a reload waits until the lease expires.
  }
  const tabId = storedId ?? randomId();
  const save = () => {
    try {
      storage().setItem(KEY, tabId);
    } catch {
      // Storage is forbidden.
    }
  };
  page.addEventListener("pagehide", save);
  return { tabId, dispose: () => page.removeEventListener("pagehide", save) };
}
