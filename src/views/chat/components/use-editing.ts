import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../../../queries/session/use-session.ts";
import { createEdits, type Edit, type Edits } from "../model/edits.ts";

export type Editing = Omit<Edits, "all" | "subscribe"> & { edits: ReadonlyMap<number, Edit> };

/** Half typed changes of this page, by account and project. */
const stores = new Map<string, Edits>();
function editsOf(accountId: number, projectId: number): Edits {
  const key = `${accountId}:${projectId}`;
  const known = stores.get(key) ?? createEdits();
  stores.set(key, known);
  return known;
}

/** Which messages of a project are being edited. */
export function useEditing(projectId: number): Editing {
  const { account } = useSession();
  const store = editsOf(account.id, projectId);
  const edits = useSyncExternalStore(store.subscribe, store.all);
  return useMemo(() => ({ ...store, edits }), [store, edits]);
}
