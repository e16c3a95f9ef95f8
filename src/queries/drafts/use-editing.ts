import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { createEditStore, type Edit, type EditStore } from "./edits.ts";

export type Editing = Omit<EditStore, "subscribe"> & { edits: ReadonlyMap<number, Edit> };
type EditScope = `project.${number}` | `file.${number}`;

/** Unsaved edits of this page, by account and scope. */
const stores = new Map<string, EditStore>();
function getEditStore(accountId: number, scope: EditScope): EditStore {
  const key = `${accountId}:${scope}`;
  const existing = stores.get(key) ?? createEditStore();
  stores.set(key, existing);
  return existing;
}

/** Returns which messages of a project, or comments of a file, are being edited. */
export function useEditing(scope: EditScope): Editing {
  const { account } = useSession();
  const store = getEditStore(account.id, scope);
  const edits = useSyncExternalStore(store.subscribe, store.all);
  return useMemo(() => ({ ...store, edits }), [store, edits]);
}
