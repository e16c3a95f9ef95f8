/** Which dialog of the shell is open: one at most. */
import { useSyncExternalStore } from "react";

export type OpenDialog = { kind: "new-project"; groupId?: number } | { kind: "new-group" } | { kind: "palette" } | { kind: "shortcuts" } | { kind: "sign-out" };

let open: OpenDialog | null = null;
const listeners = new Set<() => void>();

function set(next: OpenDialog | null) {
  open = next;
  for (const listener of listeners) listener();
}

export const openDialog = (dialog: OpenDialog) => set(dialog);
export const closeDialog = () => set(null);

export function useOpenDialog(): OpenDialog | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
