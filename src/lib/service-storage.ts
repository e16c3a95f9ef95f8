/** Stores small values that belong to one service where its choice is stored: on this device, or in this tab alone. */
import { getPersisted, onPersistedChange, setPersisted } from "./local-storage.ts";
import { getTabValue, setTabValue } from "./tab-storage.ts";

/** Values that show how the service was used. */
const HISTORY = ["features", "signed-in", "last-project", "recents", "favorites-height", "push"] as const;
export type ServiceValue =
  | (typeof HISTORY)[number]
  | "created-endpoints"
  | "column-widths"
  | `is-collapsed.${"favorites" | "recent"}`
  /** By account, file and webhook endpoint. */
  | `deleted.${number}`
  | `bar-one.${number}`
  | `collapsed-groups.${number}`
  | `pane-width.${number}`
  | `push-asked.${number}`
  /** By project. */
  | `columns.${number}`
  | `webhook-off-${number}`;

export type ServiceStorage = ReturnType<typeof createServiceStorage>;

/** `storageName`: adds the name of the service. `isForTab`: the person chose the service for this tab only. */
export function createServiceStorage(storageName: (name: string) => string, isForTab = false) {
  const [get, set] = isForTab ? [getTabValue, setTabValue] : [getPersisted, setPersisted];
  return {
    get: (name: ServiceValue): string | null => get(storageName(name)),
    set: (name: ServiceValue, value: string | null): void => set(storageName(name), value),
    /** Calls `listener` when another tab changes the value. Returns the unsubscribe function. */
    onChange: (name: ServiceValue, listener: () => void): (() => void) =>
      isForTab ? () => undefined : onPersistedChange((changed) => changed === storageName(name) && listener()),
    /** Removes what shows how the service was used, when the person disconnects from it. */
    forget(): void {
      for (const name of HISTORY) set(storageName(name), null);
    },
  };
}
