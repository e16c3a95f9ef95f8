/** Shares a draft between tabs: each tab shows the latest text, but never replaces it while the user is typing there. */

/** A tab counts as typing for this long after a change, and loads another tab's text only afterwards. */
const TYPING_MS = 2_000;

/** Persists drafts by account and target. */
interface DraftStorage<D, P> {
  load(accountId: number, targetId: P): D;
  save(accountId: number, targetId: P, draft: D): void;
}

export function createSharedDrafts<D extends object, P extends string | number = number>({ load, save }: DraftStorage<D, P>) {
  /** Drafts that this page has loaded. */
  const drafts = new Map<string, D>();
  const typing = new Map<string, ReturnType<typeof setTimeout>>();
  /** Keys that another tab changed while the user was typing here. */
  const missed = new Set<string>();
  const listeners = new Set<() => void>();
  const cacheKey = (accountId: number, targetId: P) => `${accountId}:${targetId}`;

  const setDraft = (key: string, draft: D) => {
    drafts.set(key, draft);
    for (const listener of listeners) listener();
  };

  function reload(accountId: number, targetId: P): void {
    const key = cacheKey(accountId, targetId);
    const existing = drafts.get(key);
    if (!existing) return;
    const stored = load(accountId, targetId);
    if (JSON.stringify(stored) !== JSON.stringify(existing)) setDraft(key, stored);
  }

  return {
    get(accountId: number, targetId: P): D {
      const key = cacheKey(accountId, targetId);
      const existing = drafts.get(key) ?? load(accountId, targetId);
      drafts.set(key, existing);
      return existing;
    },
    change(accountId: number, targetId: P, changes: Partial<D>): void {
      const key = cacheKey(accountId, targetId);
      const draft = { ...this.get(accountId, targetId), ...changes };
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
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
