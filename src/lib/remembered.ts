/** Small things that this browser remembers. Storage may be forbidden or full: then they are forgotten on leaving. */
const fallback = new Map<string, string>();

export function remember(name: string, value: string | null): void {
  const key = `talkback.${name}`;
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
  const key = `talkback.${name}`;
  try {
    return localStorage.getItem(key) ?? fallback.get(key) ?? null;
  } catch {
    return fallback.get(key) ?? null;
  }
}
