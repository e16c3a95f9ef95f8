/** Stores unsent messages by account and project. */
import { useCallback, useSyncExternalStore } from "react";
import type { Quote } from "../../../contract/records.ts";
import type { Api } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { useSession } from "../../queries/session.ts";
import { type EditableText, joinTexts, type Mention, shiftMentions } from "./draft-text.ts";
import { createDrafts } from "./shared-drafts.ts";

export interface Draft extends EditableText {
  /** The message that the draft replies to. */
  reply: Quote | null;
  /** The playlist that the message will show. */
  playlist: DraftPlaylist | null;
}

export interface DraftPlaylist {
  id: number;
  name: string;
}

export const EMPTY_DRAFT: Draft = { text: "", mentions: [], reply: null, playlist: null };

export type MessageDrafts = ReturnType<typeof createMessageDrafts>;

/** `storageName`: of the service. */
export const createMessageDrafts = (storageName: Api["storageName"]) =>
  createDrafts<Draft, number>({
    empty: EMPTY_DRAFT,
    isEmpty: ({ text, reply, playlist }) => text === "" && reply === null && playlist === null,
    keyOf: (accountId, projectId) => storageName(`draft.${accountId}.${projectId}`),
    parse(value) {
      // Drafts that earlier versions of this client stored say `named` for `mentions`, or lack a playlist; a tab that still runs such a version drops it.
      const { named, ...draft } = (value ?? {}) as Partial<Draft> & { named?: Draft["mentions"] };
      // Members of later versions stay.
      return typeof draft.text === "string" ? { ...EMPTY_DRAFT, ...draft, text: draft.text, mentions: draft.mentions ?? named ?? [] } : undefined;
    },
  });

/** Adds a line of text below what a project's draft has. */
export function appendToDraft(messages: MessageDrafts, accountId: number, projectId: number, added: EditableText): void {
  const before = messages.get(accountId, projectId);
  const { text, mentions } = before.text === "" ? added : joinTexts({ ...before, text: `${before.text}\n` }, added);
  messages.change(accountId, projectId, { text, mentions });
}

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

/** Returns the message that the draft replies to, and its setter. */
export const useDraftReply = (projectId: number) => useDraftPart(projectId, "reply");

/** Returns the playlist that the draft shows, and its setter. */
export const useDraftPlaylist = (projectId: number) => useDraftPart(projectId, "playlist");

function useDraftPart<K extends "reply" | "playlist">(projectId: number, name: K) {
  const { id } = useSession().account;
  const { messages } = useClient().drafts;
  const part = useSyncExternalStore(messages.subscribe, () => messages.get(id, projectId)[name]);
  const setPart = useCallback((value: Draft[K]) => messages.change(id, projectId, { [name]: value }), [messages, id, projectId, name]);
  return [part, setPart] as const;
}
