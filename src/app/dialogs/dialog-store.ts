/** Stores which dialog of the shell is open, at most one. */
import { useSyncExternalStore } from "react";

export type OpenDialog = { kind: "new-project"; groupId?: number } | { kind: "new-group" } | { kind: "palette" } | { kind: "shortcuts" } | { kind: "sign-out" };

let currentDialog: OpenDialog | null = null;
const listeners = new Set<() => void>();

function setDialog(next: OpenDialog | null) {
  currentDialog = next;
  for (const listener of listeners) listener();
}

export const openDialog = (dialog: OpenDialog) => setDialog(dialog);
export const closeDialog = () => setDialog(null);

export function useOpenDialog(): OpenDialog | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => currentDialog,
  );
}
