import { EMPTY_DRAFT, loadDraft, saveDraft, type Draft } from "./drafts.ts";

/** Storage of one draft; `save` without a draft deletes it. */
interface DraftSlot<D> {
  load(): D;
  save(draft?: D): void;
}

/**
 * Keeps a sent draft in storage until its message is stored, so that a page that dies in between leaves one of the two. Text written meanwhile
 * replaces the draft.
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
