/** A short list that the browser stores, shown by several components. */
import { parseJson } from "./parse-json.ts";
import type { ServiceStorage, ServiceValue } from "./service-storage.ts";
import { createStore } from "./store.ts";

interface Options<T> {
  /** Returns an item of a stored value, or undefined if it is invalid. */
  parse(value: unknown): T | undefined;
  /** Items beyond it are dropped from the end. */
  maxCount: number;
}

export function createPersistedList<T>(storage: ServiceStorage, name: ServiceValue, { parse, maxCount }: Options<T>) {
  const read = (): readonly T[] => {
    const stored = parseJson(storage.get(name) ?? "");
    return (Array.isArray(stored) ? stored : []).flatMap((value: unknown) => parse(value) ?? []);
  };
  const store = createStore(read());
  const dispose = storage.onChange(name, () => store.set(read()));
  return {
    get: store.get,
    subscribe: store.subscribe,
    update(change: (items: readonly T[]) => readonly T[]): void {
      // Another tab may have changed the list in the meantime.
      const items = change(read()).slice(0, maxCount);
      storage.set(name, items.length > 0 ? JSON.stringify(items) : null);
      store.set(items);
    },
    dispose,
  };
}
