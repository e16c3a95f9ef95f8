/** Small things that this browser remembers. Storage may be forbidden or full: then they are forgotten on leaving. */
const PREFIX = "talkback.";
const fallback = new Map<string, string>();

export function remember(name: string, value: string | null): void {
  const key = `${PREFIX}${name}`;
  if (value === null) fallback.delete(key);
  else fallback.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The fallback holds it.
  }
}

export function recall(name: string): string | null {
  const key = `${PREFIX}${name}`;
  try {
    return localStorage.getItem(key) ?? fallback.get(key) ?? null;
  } catch {
    return fallback.get(key) ?? null;
  }
}

/** Calls back with the name of what another tab has remembered or forgotten. Without a window nobody else is there. */
export function onRememberedElsewhere(listener: (name: string) => void): void {
  globalThis.addEventListener?.("storage", ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(PREFIX)) return;
    // What this tab holds itself is older.
    if (newValue === null) fallback.delete(key);
    else fallback.set(key, newValue);
    listener(key.slice(PREFIX.length));
  });
}
