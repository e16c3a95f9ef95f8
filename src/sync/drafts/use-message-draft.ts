import { useCallback, useSyncExternalStore } from "react";
import type { Quote } from "../../../contract/records.ts";
import { onPersistedChange } from "../../lib/local-storage.ts";
import { useSession } from "../../queries/session.ts";
import { parseDraftKey, loadDraft, shiftMentions, saveDraft, type Mention } from "./message-drafts.ts";
import { createSharedDrafts } from "./shared-drafts.ts";

const drafts = createSharedDrafts({ load: loadDraft, save: saveDraft });
onPersistedChange((name) => {
  const draftKey = parseDraftKey(name);
  if (draftKey) drafts.onExternalChange(draftKey.accountId, draftKey.projectId);
});

/** Returns a project's draft, which survives navigation, a reload and the end of its author's session. */
export function useDraft(projectId: number) {
  const { account } = useSession();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(account.id, projectId));
  const setDraft = useCallback(
    (text: string, addedMentions: readonly Mention[] = []) => {
      const before = drafts.get(account.id, projectId);
      drafts.change(account.id, projectId, { text, named: [...shiftMentions(before.named, before.text, text), ...addedMentions] });
    },
    [account.id, projectId],
  );
  return [draft, setDraft] as const;
}

/** Returns the message that the draft replies to. */
export function useDraftReply(projectId: number) {
  const { account } = useSession();
  const reply = useSyncExternalStore(drafts.subscribe, () => drafts.get(account.id, projectId).reply);
  const setReply = useCallback((quote: Quote | null) => drafts.change(account.id, projectId, { reply: quote }), [account.id, projectId]);
  return [reply, setReply] as const;
}
