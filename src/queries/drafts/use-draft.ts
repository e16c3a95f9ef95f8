import { useCallback, useSyncExternalStore } from "react";
import type { Quote } from "../../../contract/records.ts";
import { useSession } from "../session/use-session.ts";
import { loadDraft, renamed, saveDraft, type Draft, type Named } from "./drafts.ts";

/** Drafts that this page has looked at; the browser keeps them for the next one. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function draftOf(accountId: number, projectId: number): Draft {
  const key = `${accountId}:${projectId}`;
  const known = drafts.get(key) ?? loadDraft(accountId, projectId);
  drafts.set(key, known);
  return known;
}

function change(accountId: number, projectId: number, changes: Partial<Draft>): void {
  const draft = { ...draftOf(accountId, projectId), ...changes };
  drafts.set(`${accountId}:${projectId}`, draft);
  saveDraft(accountId, projectId, draft);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is being written in a project; it outlasts other views, a reload and its writer's session. */
export function useDraft(projectId: number) {
  const { account } = useSession();
  const draft = useSyncExternalStore(subscribe, () => draftOf(account.id, projectId));
  const setDraft = useCallback(
    (text: string, added: readonly Named[] = []) => {
      const before = draftOf(account.id, projectId);
      change(account.id, projectId, { text, named: [...renamed(before.named, before.text, text), ...added] });
    },
    [account.id, projectId],
  );
  return [draft, setDraft] as const;
}

/** What the draft answers. */
export function useDraftReply(projectId: number) {
  const { account } = useSession();
  const reply = useSyncExternalStore(subscribe, () => draftOf(account.id, projectId).reply);
  const setReply = useCallback((quote: Quote | null) => change(account.id, projectId, { reply: quote }), [account.id, projectId]);
  return [reply, setReply] as const;
}
