/** Messages whose text is being changed, by id. They outlast the rows, the view of the project and other projects in between. */
import { renamed, type Named } from "../../../queries/drafts/drafts.ts";
import type { Typed } from "./typed.ts";

/** A message's text while it is being changed. */
export interface Edit extends Typed {
  /** As it was when editing began: what is still the same needs no saving. */
  before: string;
  /** Saved, and not yet answered: the message shows the new text already. */
  saving: boolean;
  /** Why it could not be saved; the text is kept beside it. */
  fault: string | null;
}

export interface Edits {
  /** By message id. Several, where one was begun before another was saved. The same map until something changes. */
  all(): ReadonlyMap<number, Edit>;
  /** Begins, or goes on where it was left; others whose text is untouched end. */
  edit(messageId: number, typed: Typed): void;
  /** `added`: names that the text has got with this change. */
  type(messageId: number, text: string, added?: readonly Named[]): void;
  change(messageId: number, change: Partial<Edit>): void;
  stop(messageId: number): void;
  subscribe(listener: () => void): () => void;
}

export function createEdits(): Edits {
  let all: ReadonlyMap<number, Edit> = new Map();
  const listeners = new Set<() => void>();
  const set = (next: ReadonlyMap<number, Edit>) => {
    all = next;
    for (const listener of listeners) listener();
  };
  const change = (messageId: number, of: (one: Edit) => Partial<Edit>) => {
    const one = all.get(messageId);
    if (one) set(new Map(all).set(messageId, { ...one, ...of(one) }));
  };
  return {
    all: () => all,
    edit(messageId, typed) {
      const kept = [...all].filter(([id, one]) => id === messageId || one.saving || one.text !== one.before);
      set(new Map(kept).set(messageId, all.get(messageId) ?? { ...typed, before: typed.text, saving: false, fault: null }));
    },
    type: (messageId, text, added = []) => change(messageId, (one) => ({ text, named: [...renamed(one.named, one.text, text), ...added], fault: null })),
    change: (messageId, changed) => change(messageId, () => changed),
    stop: (messageId) => set(new Map([...all].filter(([id]) => id !== messageId))),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
