import { useCallback, useSyncExternalStore } from "react";
import type { Quote } from "../../../contract/records.ts";
import { useSession } from "../session/use-session.ts";
import { onRememberedElsewhere } from "../../lib/remembered.ts";
import { draftOf, loadDraft, renamed, saveDraft, type Named } from "./drafts.ts";
import { createSharedDrafts } from "./shared-drafts.ts";

const drafts = createSharedDrafts({ load: loadDraft, save: saveDraft });
onRememberedElsewhere((name) => {
  const whose = draftOf(name);
  if (whose) drafts.writtenElsewhere(whose.accountId, whose.projectId);
});

/** What is being written in a project; it outlasts other views, a reload and its writer's session. */
export function useDraft(projectId: number) {
  const { account } = useSession();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.of(account.id, projectId));
  const setDraft = useCallback(
    (text: string, added: readonly Named[] = []) => {
      const before = drafts.of(account.id, projectId);
      drafts.change(account.id, projectId, { text, named: [...renamed(before.named, before.text, text), ...added] });
    },
    [account.id, projectId],
  );
  return [draft, setDraft] as const;
}

/** What the draft answers. */
export function useDraftReply(projectId: number) {
  const { account } = useSession();
  const reply = useSyncExternalStore(drafts.subscribe, () => drafts.of(account.id, projectId).reply);
  const setReply = useCallback((quote: Quote | null) => drafts.change(account.id, projectId, { reply: quote }), [account.id, projectId]);
  return [reply, setReply] as const;
}
