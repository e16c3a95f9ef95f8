/** A short list that the browser stores, shown by several components: in local storage, which the tabs share, or in the storage of this tab. */
import { getPersisted, onPersistedChange, setPersisted } from "./local-storage.ts";
import { parseJson } from "./parse-json.ts";
import { createStore } from "./store.ts";
import { getTabValue, setTabValue } from "./tab-storage.ts";

interface Options<T> {
  /** Returns an item of a stored value, or undefined if it is invalid. */
  parse(value: unknown): T | undefined;
  /** Items beyond it are dropped from the end. */
  maxCount: number;
  /** True if the list ends with this tab. */
  isForTab?: boolean;
}

export function createPersistedList<T>(name: string, { parse, maxCount, isForTab = false }: Options<T>) {
  const [getValue, setValue] = isForTab ? [getTabValue, setTabValue] : [getPersisted, setPersisted];
  const read = (): readonly T[] => {
    const stored = parseJson(getValue(name) ?? "");
    return (Array.isArray(stored) ? stored : []).flatMap((value: unknown) => parse(value) ?? []);
  };
  const store = createStore(read());
  const dispose = onPersistedChange((changed) => changed === name && !isForTab && store.set(read()));
  return {
    get: store.get,
    subscribe: store.subscribe,
    update(change: (items: readonly T[]) => readonly T[]): void {
      // Another tab may have changed the list in the meantime.
      const items = change(read()).slice(0, maxCount);
      setValue(name, items.length > 0 ? JSON.stringify(items) : null);
      store.set(items);
    },
    dispose,
  };
}
