/** This tab's name among those of the browser, for leases: a reload keeps it, so that nobody waits for one's own earlier page. */
import { randomId } from "../../lib/random-id.ts";

const KEY = "talkback.tab";

/** Written down only while no page of the tab runs: a tab that is duplicated copies its storage and must not take over the name. */
export function nameOfTab(storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">, leaving: (callback: () => void) => void): string {
  let name: string | null = null;
  try {
    name = storage().getItem(KEY);
    storage().removeItem(KEY);
  } catch {
    // Forbidden: then a reload waits until the lease ends.
  }
  const own = name ?? randomId();
  leaving(() => {
    try {
      storage().setItem(KEY, own);
    } catch {
      // As above.
    }
  });
  return own;
}

export const TAB = nameOfTab(
  () => sessionStorage,
  (callback) => globalThis.addEventListener?.("pagehide", callback),
);
