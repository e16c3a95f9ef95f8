/** One draft in several tabs: each shows what was written last, but nothing is put under the hands of who is typing. */
import type { Draft } from "./drafts.ts";

/** Whoever has typed within this time goes on typing: what another tab wrote is looked at afterwards. */
const TYPING_MS = 2_000;

interface Kept {
  load(accountId: number, projectId: number): Draft;
  save(accountId: number, projectId: number, draft: Draft): void;
}

export function createSharedDrafts({ load, save }: Kept) {
  /** Drafts that this page has looked at. */
  const drafts = new Map<string, Draft>();
  const typing = new Map<string, ReturnType<typeof setTimeout>>();
  /** Written elsewhere while somebody typed here. */
  const missed = new Set<string>();
  const listeners = new Set<() => void>();
  const keyOf = (accountId: number, projectId: number) => `${accountId}:${projectId}`;

  const put = (key: string, draft: Draft) => {
    drafts.set(key, draft);
    for (const listener of listeners) listener();
  };

  function take(accountId: number, projectId: number): void {
    const key = keyOf(accountId, projectId);
    const known = drafts.get(key);
    if (!known) return;
    const kept = load(accountId, projectId);
    if (JSON.stringify(kept) !== JSON.stringify(known)) put(key, kept);
  }

  return {
    of(accountId: number, projectId: number): Draft {
      const key = keyOf(accountId, projectId);
      const known = drafts.get(key) ?? load(accountId, projectId);
      drafts.set(key, known);
      return known;
    },
    change(accountId: number, projectId: number, changes: Partial<Draft>): void {
      const key = keyOf(accountId, projectId);
      const draft = { ...this.of(accountId, projectId), ...changes };
      missed.delete(key);
      save(accountId, projectId, draft);
      clearTimeout(typing.get(key));
      typing.set(
        key,
        setTimeout(() => {
          typing.delete(key);
          if (missed.delete(key)) take(accountId, projectId);
        }, TYPING_MS),
      );
      put(key, draft);
    },
    /** Another tab has written. */
    writtenElsewhere(accountId: number, projectId: number): void {
      const key = keyOf(accountId, projectId);
      if (typing.has(key)) missed.add(key);
      else take(accountId, projectId);
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
