import { EMPTY_DRAFT, loadDraft, saveDraft, type Draft } from "./drafts.ts";

/** Where one draft is remembered; `save` without a draft forgets it. */
interface DraftSlot<D> {
  load(): D;
  save(draft?: D): void;
}

/**
 * A draft that was sent stays what this browser remembers until the message itself is kept: a page that dies in between leaves one
 * of them. What is written meanwhile takes its place.
 */
export function retainUntilStored<D>({ load, save }: DraftSlot<D>, draft: D, stored: Promise<unknown>): void {
  save(draft);
  const text = JSON.stringify(load());
  void stored.finally(() => {
    if (JSON.stringify(load()) === text) save();
  });
}

export const retainDraftUntilStored = (accountId: number, projectId: number, draft: Draft, stored: Promise<unknown>): void =>
  retainUntilStored({ load: () => loadDraft(accountId, projectId), save: (next = EMPTY_DRAFT) => saveDraft(accountId, projectId, next) }, draft, stored);
