/** One draft in several tabs: each shows what was written last, but nothing is put under the hands of who is typing. */

/** Whoever has typed within this time goes on typing: what another tab wrote is looked at afterwards. */
const TYPING_MS = 2_000;

/** Where drafts are remembered, by account and by what they are written in. */
interface DraftStorage<D, P> {
  load(accountId: number, targetId: P): D;
  save(accountId: number, targetId: P, draft: D): void;
}

export function createSharedDrafts<D extends object, P extends string | number = number>({ load, save }: DraftStorage<D, P>) {
  /** Drafts that this page has looked at. */
  const drafts = new Map<string, D>();
  const typing = new Map<string, ReturnType<typeof setTimeout>>();
  /** Written elsewhere while somebody typed here. */
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
    /** Another tab has written. */
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
