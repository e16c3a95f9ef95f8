/** What is being written, by account and project: kept by this browser until it is sent. */
import type { Quote } from "../../../contract/records.ts";
import { recall, remember } from "../../lib/remembered.ts";

/** A stretch of the text that names somebody. */
export interface Named {
  start: number;
  end: number;
  accountId: number;
}

export interface Draft {
  text: string;
  named: readonly Named[];
  /** What it answers. */
  reply: Quote | null;
}

export const EMPTY: Draft = { text: "", named: [], reply: null };

const draftName = (accountId: number, projectId: number) => `draft.${accountId}.${projectId}`;

/** Whose draft is remembered by this name; null: it is something else. */
export function draftOf(name: string): { accountId: number; projectId: number } | null {
  const [, account, project] = /^draft\.(\d+)\.(\d+)$/.exec(name) ?? [];
  return account && project ? { accountId: Number(account), projectId: Number(project) } : null;
}

export function loadDraft(accountId: number, projectId: number): Draft {
  const kept = recall(draftName(accountId, projectId));
  if (kept === null) return EMPTY;
  try {
    const draft = JSON.parse(kept) as Partial<Draft>;
    return typeof draft.text === "string" ? { text: draft.text, named: draft.named ?? [], reply: draft.reply ?? null } : EMPTY;
  } catch {
    return EMPTY;
  }
}

export function saveDraft(accountId: number, projectId: number, draft: Draft): void {
  remember(draftName(accountId, projectId), draft.text === "" && draft.reply === null ? null : JSON.stringify(draft));
}

/** The names after the text has changed: those behind the change move along, those in it are names no more. */
export function renamed(named: readonly Named[], before: string, after: string): Named[] {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before[same] === after[same]) same += 1;
  let tail = 0;
  while (tail < most - same && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const end = before.length - tail;
  const shift = after.length - before.length;
  return named.flatMap((one) => {
    if (one.end <= same) return one;
    return one.start >= end ? { ...one, start: one.start + shift, end: one.end + shift } : [];
  });
}

/** The text as it is sent: who is named stands as `<@id>`. */
export function bodyOf(text: string, named: readonly Named[]): string {
  let body = "";
  let at = 0;
  for (const { start, end, accountId } of named.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end > text.length) continue;
    body += `${text.slice(at, start)}<@${accountId}>`;
    at = end;
  }
  return body + text.slice(at);
}
