/** Stores drafts in this browser and shares them between its tabs: each tab shows the latest text, but never replaces it while the user is typing there. */
import { createEmitter } from "../../lib/store.ts";
import { getPersisted, onPersistedChange, setPersisted } from "../../lib/local-storage.ts";
import { parseJson } from "../../lib/parse-json.ts";

/** A tab counts as typing for this long after a change, and loads another tab's text only afterwards. */
const TYPING_MS = 2_000;

/** One kind of draft. */
interface DraftKind<D, P> {
  empty: D;
  /** An empty draft is not stored. */
  isEmpty(draft: D): boolean;
  /** Returns the name under which a draft of this service is stored. */
  keyOf(accountId: number, targetId: P): string;
  /** Returns the draft of a stored value; undefined if it is invalid. */
  parse(value: unknown): D | undefined;
}

/** Creates the drafts of one kind. */
export function createDrafts<D extends object, P extends string | number>({ empty, isEmpty, keyOf, parse }: DraftKind<D, P>) {
  /** Drafts that this page has loaded, by the name under which they are stored. */
  const drafts = new Map<string, D>();
  const typing = new Map<string, ReturnType<typeof setTimeout>>();
  /** Drafts that another tab changed while the user was typing here. */
  const missed = new Set<string>();
  const { emit, subscribe } = createEmitter();

  const load = (key: string): D => parse(parseJson(getPersisted(key) ?? "")) ?? empty;
  const save = (key: string, draft: D) => setPersisted(key, isEmpty(draft) ? null : JSON.stringify(draft));
  const setDraft = (key: string, draft: D) => {
    drafts.set(key, draft);
    emit();
  };

  function reload(key: string): void {
    const existing = drafts.get(key);
    if (!existing) return;
    const stored = load(key);
    if (JSON.stringify(stored) !== JSON.stringify(existing)) setDraft(key, stored);
  }
  const stopListening = onPersistedChange((key) => {
    if (typing.has(key)) missed.add(key);
    else reload(key);
  });

  function get(accountId: number, targetId: P): D {
    const key = keyOf(accountId, targetId);
    const existing = drafts.get(key) ?? load(key);
    drafts.set(key, existing);
    return existing;
  }

  function change(accountId: number, targetId: P, changes: Partial<D>): void {
    const key = keyOf(accountId, targetId);
    const draft = { ...get(accountId, targetId), ...changes };
    missed.delete(key);
    save(key, draft);
    clearTimeout(typing.get(key));
    typing.set(
      key,
      setTimeout(() => {
        typing.delete(key);
        if (missed.delete(key)) reload(key);
      }, TYPING_MS),
    );
    setDraft(key, draft);
  }

  return {
    get,
    change,
    subscribe,
    /**
     * Clears a sent draft in this page at once, and in the browser's storage once `stored` settles, so that a page that dies in between leaves the
     * draft or its message. Text written meanwhile replaces the draft.
     */
    onSent(accountId: number, targetId: P, draft: D, stored: Promise<unknown>): void {
      const key = keyOf(accountId, targetId);
      change(accountId, targetId, empty);
      save(key, draft);
      const text = JSON.stringify(load(key));
      void stored.finally(() => {
        if (JSON.stringify(load(key)) === text) save(key, empty);
      });
    },
    dispose() {
      stopListening();
      for (const timer of typing.values()) clearTimeout(timer);
    },
  };
}
