/** One draft in several tabs: each shows what was written last, but nothing is put under the hands of who is typing. */

/** Whoever has typed within this time goes on typing: what another tab wrote is looked at afterwards. */
const TYPING_MS = 2_000;

/** Where drafts are remembered, by account and by what they are written in. */
interface Kept<D, P> {
  load(accountId: number, placeId: P): D;
  save(accountId: number, placeId: P, draft: D): void;
}

export function createSharedDrafts<D extends object, P extends string | number = number>({ load, save }: Kept<D, P>) {
  /** Drafts that this page has looked at. */
  const drafts = new Map<string, D>();
  const typing = new Map<string, ReturnType<typeof setTimeout>>();
  /** Written elsewhere while somebody typed here. */
  const missed = new Set<string>();
  const listeners = new Set<() => void>();
  const keyOf = (accountId: number, placeId: P) => `${accountId}:${placeId}`;

  const put = (key: string, draft: D) => {
    drafts.set(key, draft);
    for (const listener of listeners) listener();
  };

  function take(accountId: number, placeId: P): void {
    const key = keyOf(accountId, placeId);
    const known = drafts.get(key);
    if (!known) return;
    const kept = load(accountId, placeId);
    if (JSON.stringify(kept) !== JSON.stringify(known)) put(key, kept);
  }

  return {
    of(accountId: number, placeId: P): D {
      const key = keyOf(accountId, placeId);
      const known = drafts.get(key) ?? load(accountId, placeId);
      drafts.set(key, known);
      return known;
    },
    change(accountId: number, placeId: P, changes: Partial<D>): void {
      const key = keyOf(accountId, placeId);
      const draft = { ...this.of(accountId, placeId), ...changes };
      missed.delete(key);
      save(accountId, placeId, draft);
      clearTimeout(typing.get(key));
      typing.set(
        key,
        setTimeout(() => {
          typing.delete(key);
          if (missed.delete(key)) take(accountId, placeId);
        }, TYPING_MS),
      );
      put(key, draft);
    },
    /** Another tab has written. */
    writtenElsewhere(accountId: number, placeId: P): void {
      const key = keyOf(accountId, placeId);
      if (typing.has(key)) missed.add(key);
      else take(accountId, placeId);
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
