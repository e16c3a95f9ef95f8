/** Stores drafts in this browser and shares them between its tabs: each tab shows the latest text, but never replaces it while the user is typing there. */
import { createEmitter } from "../../lib/store.ts";
import { getPersisted, onPersistedChange, setPersisted } from "../../lib/local-storage.ts";

/** A tab counts as typing for this long after a change, and loads another tab's text only afterwards. */
const TYPING_MS = 2_000;

/** Persists drafts by account and target. */
interface DraftStorage<D, P> {
  load(accountId: number, targetId: P): D;
  save(accountId: number, targetId: P, draft: D): void;
}

/** One kind of draft. */
interface DraftKind<D, P> {
  empty: D;
  /** An empty draft is not stored. */
  isEmpty(draft: D): boolean;
  /** Returns the name under which a draft is stored. */
  keyOf(accountId: number, targetId: P): string;
  /** Returns the account and target of a stored name; null for any other name. */
  parseKey(name: string): { accountId: number; targetId: P } | null;
  /** Returns the draft of a stored value; undefined if it is invalid. */
  parse(value: unknown): D | undefined;
}

/** Creates the drafts of one kind. */
export function createDrafts<D extends object, P extends string | number>({ empty, isEmpty, keyOf, parseKey, parse }: DraftKind<D, P>) {
  const load = (accountId: number, targetId: P): D => {
    try {
      return parse(JSON.parse(getPersisted(keyOf(accountId, targetId)) ?? "null")) ?? empty;
    } catch {
      return empty;
    }
  };
  const save = (accountId: number, targetId: P, draft: D) => setPersisted(keyOf(accountId, targetId), isEmpty(draft) ? null : JSON.stringify(draft));
  const drafts = createSharedDrafts({ load, save });
  const stopListening = onPersistedChange((name) => {
    const draftKey = parseKey(name);
    if (draftKey) drafts.onExternalChange(draftKey.accountId, draftKey.targetId);
  });
  return {
    ...drafts,
    load,
    save,
    dispose() {
      stopListening();
      drafts.dispose();
    },
    /**
     * Clears a sent draft in this page at once, and in the browser's storage once `stored` settles, so that a page that dies in between leaves the
     * draft or its message. Text written meanwhile replaces the draft.
     */
    onSent(accountId: number, targetId: P, draft: D, stored: Promise<unknown>): void {
      drafts.change(accountId, targetId, empty);
      save(accountId, targetId, draft);
      const text = JSON.stringify(load(accountId, targetId));
      void stored.finally(() => {
        if (JSON.stringify(load(accountId, targetId)) === text) save(accountId, targetId, empty);
      });
    },
  };
}

/** Shares drafts between tabs. */
export function createSharedDrafts<D extends object, P extends string | number = number>({ load, save }: DraftStorage<D, P>) {
  /** Drafts that this page has loaded. */
  const drafts = new Map<string, D>();
  const typing = new Map<string, ReturnType<typeof setTimeout>>();
  /** Keys that another tab changed while the user was typing here. */
  const missed = new Set<string>();
  const { emit, subscribe } = createEmitter();
  const cacheKey = (accountId: number, targetId: P) => `${accountId}:${targetId}`;

  const setDraft = (key: string, draft: D) => {
    drafts.set(key, draft);
    emit();
  };

  function reload(accountId: number, targetId: P): void {
    const key = cacheKey(accountId, targetId);
    const existing = drafts.get(key);
    if (!existing) return;
    const stored = load(accountId, targetId);
    if (JSON.stringify(stored) !== JSON.stringify(existing)) setDraft(key, stored);
  }

  function get(accountId: number, targetId: P): D {
    const key = cacheKey(accountId, targetId);
    const existing = drafts.get(key) ?? load(accountId, targetId);
    drafts.set(key, existing);
    return existing;
  }

  return {
    get,
    change(accountId: number, targetId: P, changes: Partial<D>): void {
      const key = cacheKey(accountId, targetId);
      const draft = { ...get(accountId, targetId), ...changes };
      missed.delete(key);
      save(accountId, targetId, draft);
      clearTimeout(typing.get(key));
      typing.set(
        key,
        setTimeout(() => {
          typing.delete(key);
          if (missed.delete(key)) reload(accountId, targetId);
        }, TYPING_MS),
      );
      setDraft(key, draft);
    },
    /** Reloads a draft that another tab has written, once the user has stopped typing here. */
    onExternalChange(accountId: number, targetId: P): void {
      const key = cacheKey(accountId, targetId);
      if (typing.has(key)) missed.add(key);
      else reload(accountId, targetId);
    },
    subscribe,
    dispose() {
      for (const timer of typing.values()) clearTimeout(timer);
    },
  };
}
