/** Stores small values until this tab closes; a reload keeps them. If storage is forbidden, nothing is stored. */
const PREFIX = "talkback.";

export function getTabValue(name: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function setTabValue(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is forbidden or full.
  }
}
