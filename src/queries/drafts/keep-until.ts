import { EMPTY, loadDraft, saveDraft, type Draft } from "./drafts.ts";

/** Where one draft is remembered; `save` without a draft forgets it. */
interface Place<D> {
  load(): D;
  save(draft?: D): void;
}

/**
 * A draft that was sent stays what this browser remembers until the message itself is kept: a page that dies in between leaves one
 * of them. What is written meanwhile takes its place.
 */
export function keepUntil<D>({ load, save }: Place<D>, draft: D, stored: Promise<unknown>): void {
  save(draft);
  const text = JSON.stringify(load());
  void stored.finally(() => {
    if (JSON.stringify(load()) === text) save();
  });
}

export const keepDraftUntil = (accountId: number, projectId: number, draft: Draft, stored: Promise<unknown>): void =>
  keepUntil({ load: () => loadDraft(accountId, projectId), save: (kept = EMPTY) => saveDraft(accountId, projectId, kept) }, draft, stored);
