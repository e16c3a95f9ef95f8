/** Stores small values in local storage; if storage is forbidden or full, they last until the page closes. */
import { useState } from "react";

const PREFIX = "talkback.";
/** Values that could not be stored. */
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
  // A value that could not be written to storage is newer than the stored one.
  const fallbackValue = fallback.get(key);
  if (fallbackValue !== undefined) return fallbackValue;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether the last value that was set lasts longer than this page. */
export const isPersisted = (name: string): boolean => !fallback.has(PREFIX + name);

/** Calls `listener` with the name of each value that another tab sets or removes, except by clearing the storage. Returns the unsubscribe function. */
export function onPersistedChange(listener: (name: string) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (!key?.startsWith(PREFIX)) return;
    // The fallback value of this tab is older.
    fallback.delete(key);
    listener(key.slice(PREFIX.length));
  };
  globalThis.addEventListener?.("storage", onStorage);
  return () => globalThis.removeEventListener?.("storage", onStorage);
}

/** Holds a setting that `load` reads from storage and `save` writes there. */
export function usePersistedState<T>(load: () => T, save: (value: T) => void) {
  const [value, setValue] = useState(load);
  const update = (next: T) => {
    save(next);
    setValue(next);
  };
  return [value, update] as const;
}
