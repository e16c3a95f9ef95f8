/** Stores unsaved edits of messages and comments by id, so that they survive scrolling and navigation. */
import { useMemo, useSyncExternalStore } from "react";
import { useSession } from "../../queries/session.ts";
import { type Mention, shiftMentions } from "./message-drafts.ts";

/** A text as users type it, with mentions by their current names. */
export interface EditableText {
  text: string;
  named: readonly Mention[];
}

export interface Edit extends EditableText {
  /** The text when editing began; an unchanged text needs no saving. */
  originalText: string;
  /** True between submission and response, while the new text is already shown. */
  saving: boolean;
  /** Why saving failed; the edited text is kept. */
  error: string | null;
}

interface EditStore {
  /** Returns all edits by id; several when one starts before another is saved. The same map until something changes. */
  all(): ReadonlyMap<number, Edit>;
  /** Starts or resumes an edit, and ends other edits whose text is unchanged. */
  start(id: number, editable: EditableText): void;
  /** `addedMentions` are the mentions that this change adds. */
  setText(id: number, text: string, addedMentions?: readonly Mention[]): void;
  change(id: number, change: Partial<Edit>): void;
  stop(id: number): void;
  subscribe(listener: () => void): () => void;
}

export type Editing = Omit<EditStore, "subscribe"> & { edits: ReadonlyMap<number, Edit> };
type EditScope = `project.${number}` | `file.${number}`;

/** Returns which messages of a project, or comments of a file, are being edited. */
export function useEditing(scope: EditScope): Editing {
  const { account } = useSession();
  const store = getEditStore(account.id, scope);
  const edits = useSyncExternalStore(store.subscribe, store.all);
  return useMemo(() => ({ ...store, edits }), [store, edits]);
}

/** Unsaved edits of this page, by account and scope. */
const stores = new Map<string, EditStore>();
function getEditStore(accountId: number, scope: EditScope): EditStore {
  const key = `${accountId}:${scope}`;
  const existing = stores.get(key) ?? createEditStore();
  stores.set(key, existing);
  return existing;
}

export function createEditStore(): EditStore {
  let all: ReadonlyMap<number, Edit> = new Map();
  const listeners = new Set<() => void>();
  const set = (next: ReadonlyMap<number, Edit>) => {
    all = next;
    for (const listener of listeners) listener();
  };
  const change = (id: number, patch: (current: Edit) => Partial<Edit>) => {
    const current = all.get(id);
    if (current) set(new Map(all).set(id, { ...current, ...patch(current) }));
  };
  return {
    all: () => all,
    start(id, editable) {
      const remaining = [...all].filter(([editId, current]) => editId === id || current.saving || current.text !== current.originalText);
      set(new Map(remaining).set(id, all.get(id) ?? { ...editable, originalText: editable.text, saving: false, error: null }));
    },
    setText: (id, text, addedMentions = []) =>
      change(id, (current) => ({ text, named: [...shiftMentions(current.named, current.text, text), ...addedMentions], error: null })),
    change: (id, changes) => change(id, () => changes),
    stop: (id) => set(new Map([...all].filter(([editId]) => editId !== id))),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
