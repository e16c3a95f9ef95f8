/** A short list in local storage, shown by several components and shared by the tabs of this browser. */
import { getPersisted, onPersistedChange, setPersisted } from "./local-storage.ts";
import { parseJson } from "./parse-json.ts";
import { createStore } from "./store.ts";

/** `parse` returns an item of a stored value, or undefined if it is invalid. Items beyond `maxCount` are dropped from the end. */
export function createPersistedList<T>(name: string, parse: (value: unknown) => T | undefined, maxCount: number) {
  const read = (): readonly T[] => {
    const stored = parseJson(getPersisted(name) ?? "");
    return (Array.isArray(stored) ? stored : []).flatMap((value: unknown) => parse(value) ?? []);
  };
  const store = createStore(read());
  const dispose = onPersistedChange((changed) => changed === name && store.set(read()));
  return {
    get: store.get,
    subscribe: store.subscribe,
    update(change: (items: readonly T[]) => readonly T[]): void {
      // Another tab may have changed the list in the meantime.
      const items = change(read()).slice(0, maxCount);
      setPersisted(name, items.length > 0 ? JSON.stringify(items) : null);
      store.set(items);
    },
    dispose,
  };
}
