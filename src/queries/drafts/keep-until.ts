import { EMPTY, loadDraft, saveDraft, type Draft } from "./drafts.ts";

/**
 * A draft that was sent stays what this browser remembers until the message itself is kept: a page that dies in between leaves one
 * of them. What is written meanwhile takes its place.
 */
export function keepDraftUntil(accountId: number, projectId: number, draft: Draft, stored: Promise<unknown>): void {
  saveDraft(accountId, projectId, draft);
  const text = JSON.stringify(loadDraft(accountId, projectId));
  void stored.finally(() => {
    if (JSON.stringify(loadDraft(accountId, projectId)) === text) saveDraft(accountId, projectId, EMPTY);
  });
}
