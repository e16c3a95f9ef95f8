/** Stores unsent messages by account and project in this browser. */
import type { Quote } from "../../../contract/records.ts";
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";

/** A range of the text that mentions somebody. */
export interface Mention {
  start: number;
  end: number;
  accountId: number;
}

export interface Draft {
  text: string;
  named: readonly Mention[];
  /** The message that the draft replies to. */
  reply: Quote | null;
}

export const EMPTY_DRAFT: Draft = { text: "", named: [], reply: null };

const draftKey = (accountId: number, projectId: number) => `draft.${accountId}.${projectId}`;

/** Returns the account and project of a storage key; null for any other key. */
export function parseDraftKey(name: string): { accountId: number; projectId: number } | null {
  const [, account, project] = /^draft\.(\d+)\.(\d+)$/.exec(name) ?? [];
  return account && project ? { accountId: Number(account), projectId: Number(project) } : null;
}

export function loadDraft(accountId: number, projectId: number): Draft {
  const stored = getPersisted(draftKey(accountId, projectId));
  if (stored === null) return EMPTY_DRAFT;
  try {
    const draft = JSON.parse(stored) as Partial<Draft>;
    return typeof draft.text === "string" ? { text: draft.text, named: draft.named ?? [], reply: draft.reply ?? null } : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

export function saveDraft(accountId: number, projectId: number, draft: Draft): void {
  setPersisted(draftKey(accountId, projectId), draft.text === "" && draft.reply === null ? null : JSON.stringify(draft));
}

/** Updates mentions after an edit of the text: those after the edit shift, and those inside it are removed. */
export function shiftMentions(named: readonly Mention[], before: string, after: string): Mention[] {
  let prefixLength = 0;
  const maxLength = Math.min(before.length, after.length);
  while (prefixLength < maxLength && before[prefixLength] === after[prefixLength]) prefixLength += 1;
  let suffixLength = 0;
  while (suffixLength < maxLength - prefixLength && before[before.length - 1 - suffixLength] === after[after.length - 1 - suffixLength]) suffixLength += 1;
  const end = before.length - suffixLength;
  const shift = after.length - before.length;
  return named.flatMap((mention) => {
    if (mention.end <= prefixLength) return mention;
    return mention.start >= end ? { ...mention, start: mention.start + shift, end: mention.end + shift } : [];
  });
}

/** Returns the text to send, with each mention as `<@id>`. */
export function serializeBody(text: string, named: readonly Mention[]): string {
  let body = "";
  let position = 0;
  for (const { start, end, accountId } of named.toSorted((a, b) => a.start - b.start)) {
    if (start < position || end > text.length) continue;
    body += `${text.slice(position, start)}<@${accountId}>`;
    position = end;
  }
  return body + text.slice(position);
}

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
