/** Small things that this browser remembers. Storage may be forbidden or full: then they are forgotten on leaving. */
const PREFIX = "talkback.";
const fallback = new Map<string, string>();

export function setPersisted(name: string, value: string | null): void {
  const key = `${PREFIX}${name}`;
  fallback.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value !== null) fallback.set(key, value);
  }
}

export function getPersisted(name: string): string | null {
  const key = `${PREFIX}${name}`;
  // What could not be written is newer than what could be.
  const fallbackValue = fallback.get(key);
  if (fallbackValue !== undefined) return fallbackValue;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Calls back with the name of what another tab has remembered or forgotten. Without a window nobody else is there. */
export function onPersistedChange(listener: (name: string) => void): void {
  globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
    if (!key?.startsWith(PREFIX)) return;
    // What this tab holds itself is older.
    fallback.delete(key);
    listener(key.slice(PREFIX.length));
  });
}
