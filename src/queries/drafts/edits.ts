/** Messages and comments whose text is being changed, by id. They outlast the rows, the view that they stand in and other views in between. */
import { shiftMentions, type Mention } from "./drafts.ts";

/** A text as people type and change it: mentions by the names they have now. */
export interface EditableText {
  text: string;
  named: readonly Mention[];
}

/** A text while it is being changed. */
export interface Edit extends EditableText {
  /** As it was when editing began: what is still the same needs no saving. */
  originalText: string;
  /** Saved, and not yet answered: the new text is shown already. */
  saving: boolean;
  /** Why it could not be saved; the text is kept beside it. */
  error: string | null;
}

export interface EditStore {
  /** By id. Several, where one was begun before another was saved. The same map until something changes. */
  all(): ReadonlyMap<number, Edit>;
  /** Begins, or goes on where it was left; others whose text is untouched end. */
  start(id: number, editable: EditableText): void;
  /** `addedMentions`: names that the text has got with this change. */
  setText(id: number, text: string, addedMentions?: readonly Mention[]): void;
  change(id: number, change: Partial<Edit>): void;
  stop(id: number): void;
  subscribe(listener: () => void): () => void;
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
