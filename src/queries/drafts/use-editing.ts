import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { createEdits, type Edit, type Edits } from "./edits.ts";

export type Editing = Omit<Edits, "subscribe"> & { edits: ReadonlyMap<number, Edit> };
type Place = `project.${number}` | `file.${number}`;

/** Half typed changes of this page, by account and place. */
const stores = new Map<string, Edits>();
function editsOf(accountId: number, place: Place): Edits {
  const key = `${accountId}:${place}`;
  const known = stores.get(key) ?? createEdits();
  stores.set(key, known);
  return known;
}

/** Which messages of a project, or comments of a file, are being edited. */
export function useEditing(place: Place): Editing {
  const { account } = useSession();
  const store = editsOf(account.id, place);
  const edits = useSyncExternalStore(store.subscribe, store.all);
  return useMemo(() => ({ ...store, edits }), [store, edits]);
}
