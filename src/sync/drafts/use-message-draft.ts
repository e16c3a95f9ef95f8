/** Stores unsent messages by account and project. */
import { useCallback, useSyncExternalStore } from "react";
import type { Quote } from "../../../contract/records.ts";
import type { Api } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { useSession } from "../../queries/session.ts";
import { type EditableText, type Mention, shiftMentions } from "./draft-text.ts";
import { createDrafts } from "./shared-drafts.ts";

export interface Draft extends EditableText {
  /** The message that the draft replies to. */
  reply: Quote | null;
}

export const EMPTY_DRAFT: Draft = { text: "", mentions: [], reply: null };

export type MessageDrafts = ReturnType<typeof createMessageDrafts>;

/** `storageName`: of the service. */
export const createMessageDrafts = (storageName: Api["storageName"]) =>
  createDrafts<Draft, number>({
    empty: EMPTY_DRAFT,
    isEmpty: ({ text, reply }) => text === "" && reply === null,
    keyOf: (accountId, projectId) => storageName(`draft.${accountId}.${projectId}`),
    parse(value) {
      // Drafts that an earlier version of this client stored say `named` for `mentions`.
      const draft = value as (Partial<Draft> & { named?: Draft["mentions"] }) | null;
      return typeof draft?.text === "string" ? { text: draft.text, mentions: draft.mentions ?? draft.named ?? [], reply: draft.reply ?? null } : undefined;
    },
  });

/** Returns a project's draft, which survives navigation, a reload and the end of its author's session. */
export function useDraft(projectId: number) {
  const { id } = useSession().account;
  const { messages } = useClient().drafts;
  const draft = useSyncExternalStore(messages.subscribe, () => messages.get(id, projectId));
  const setDraft = useCallback(
    (text: string, addedMentions: readonly Mention[] = []) => {
      const before = messages.get(id, projectId);
      messages.change(id, projectId, { text, mentions: [...shiftMentions(before.mentions, before.text, text), ...addedMentions] });
    },
    [messages, id, projectId],
  );
  return [draft, setDraft] as const;
}

/** Returns the message that the draft replies to. */
export function useDraftReply(projectId: number) {
  const { id } = useSession().account;
  const { messages } = useClient().drafts;
  const reply = useSyncExternalStore(messages.subscribe, () => messages.get(id, projectId).reply);
  const setReply = useCallback((quote: Quote | null) => messages.change(id, projectId, { reply: quote }), [messages, id, projectId]);
  return [reply, setReply] as const;
}
