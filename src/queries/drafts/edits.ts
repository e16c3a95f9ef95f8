/** Messages and comments whose text is being changed, by id. They outlast the rows, the view that they stand in and other views in between. */
import { renamed, type Named } from "./drafts.ts";

/** A text as people type and change it: mentions by the names they have now. */
export interface Typed {
  text: string;
  named: readonly Named[];
}

/** A text while it is being changed. */
export interface Edit extends Typed {
  /** As it was when editing began: what is still the same needs no saving. */
  before: string;
  /** Saved, and not yet answered: the new text is shown already. */
  saving: boolean;
  /** Why it could not be saved; the text is kept beside it. */
  fault: string | null;
}

export interface Edits {
  /** By id. Several, where one was begun before another was saved. The same map until something changes. */
  all(): ReadonlyMap<number, Edit>;
  /** Begins, or goes on where it was left; others whose text is untouched end. */
  edit(id: number, typed: Typed): void;
  /** `added`: names that the text has got with this change. */
  type(id: number, text: string, added?: readonly Named[]): void;
  change(id: number, change: Partial<Edit>): void;
  stop(id: number): void;
  subscribe(listener: () => void): () => void;
}

export function createEdits(): Edits {
  let all: ReadonlyMap<number, Edit> = new Map();
  const listeners = new Set<() => void>();
  const set = (next: ReadonlyMap<number, Edit>) => {
    all = next;
    for (const listener of listeners) listener();
  };
  const change = (id: number, of: (one: Edit) => Partial<Edit>) => {
    const one = all.get(id);
    if (one) set(new Map(all).set(id, { ...one, ...of(one) }));
  };
  return {
    all: () => all,
    edit(id, typed) {
      const kept = [...all].filter(([known, one]) => known === id || one.saving || one.text !== one.before);
      set(new Map(kept).set(id, all.get(id) ?? { ...typed, before: typed.text, saving: false, fault: null }));
    },
    type: (id, text, added = []) => change(id, (one) => ({ text, named: [...renamed(one.named, one.text, text), ...added], fault: null })),
    change: (id, changed) => change(id, () => changed),
    stop: (id) => set(new Map([...all].filter(([known]) => known !== id))),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
