/** Stores which messages the user deleted in this browser and can still restore; the service allows that for ten minutes. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { LIMITS } from "../../contract/limits.ts";
import { getPersisted, onPersistedChange, setPersisted } from "../lib/local-storage.ts";
import { perClient } from "../queries/query-client.ts";

export const RESTORE_MS = LIMITS.message_restore_seconds * 1_000;
/** Only the newest entries are stored. */
const MAX_DELETIONS = 20;

const deletionsSchema = z.array(z.object({ id: z.int(), until: z.number() }));

/** A deleted message that can be restored. */
interface UndoableDeletion {
  id: number;
  /** Epoch milliseconds by this browser's clock. */
  until: number;
}

interface UndoableDeletions {
  entries: readonly UndoableDeletion[];
  ids: ReadonlySet<number>;
  timers: Map<number, ReturnType<typeof setTimeout>>;
  listeners: Set<() => void>;
}
const getDeletionsByAccount = perClient(() => new Map<number, UndoableDeletions>());

export function recordDeletion(client: QueryClient, accountId: number, messageId: number): void {
  const deletions = getUndoableDeletions(client, accountId);
  const remaining = deletions.entries.filter(({ id }) => id !== messageId);
  persist(deletions, accountId, [...remaining, { id: messageId, until: Date.now() + RESTORE_MS }]);
}

export function clearDeletion(client: QueryClient, accountId: number, messageId: number): void {
  removeEntry(getUndoableDeletions(client, accountId), accountId, messageId);
}

/** Returns the ids of the messages that the user can still restore. */
export function useUndoableDeletions(accountId: number): ReadonlySet<number> {
  const deletions = getUndoableDeletions(useQueryClient(), accountId);
  return useSyncExternalStore(
    (listener) => {
      deletions.listeners.add(listener);
      return () => deletions.listeners.delete(listener);
    },
    () => deletions.ids,
  );
}

const storageKey = (accountId: number) => `deleted.${accountId}`;

/** Returns the deletions of one account; other accounts in this browser do not see them. */
function getUndoableDeletions(client: QueryClient, accountId: number): UndoableDeletions {
  const deletionsByAccount = getDeletionsByAccount(client);
  const existing = deletionsByAccount.get(accountId);
  if (existing) return existing;
  const deletions: UndoableDeletions = { entries: [], ids: new Set(), timers: new Map(), listeners: new Set() };
  deletionsByAccount.set(accountId, deletions);
  loadStored(deletions, accountId);
  onPersistedChange((name) => name === storageKey(accountId) && loadStored(deletions, accountId));
  return deletions;
}

function loadStored(deletions: UndoableDeletions, accountId: number): void {
  setEntries(deletions, parseDeletions(getPersisted(storageKey(accountId)), Date.now()), accountId);
}

function setEntries(deletions: UndoableDeletions, entries: readonly UndoableDeletion[], accountId: number): void {
  deletions.entries = entries;
  deletions.ids = new Set(entries.map(({ id }) => id));
  for (const [id, timer] of deletions.timers) {
    if (deletions.ids.has(id)) continue;
    clearTimeout(timer);
    deletions.timers.delete(id);
  }
  // A running timer is not restarted, because the clock may have been changed since.
  for (const entry of entries) {
    const { id } = entry;
    if (!deletions.timers.has(id))
      deletions.timers.set(
        id,
        setTimeout(() => removeEntry(deletions, accountId, id), remainingMs(entry, Date.now())),
      );
  }
  for (const listener of deletions.listeners) listener();
}

function persist(deletions: UndoableDeletions, accountId: number, entries: readonly UndoableDeletion[]): void {
  setPersisted(storageKey(accountId), entries.length > 0 ? serializeDeletions(entries) : null);
  setEntries(deletions, entries, accountId);
}

function removeEntry(deletions: UndoableDeletions, accountId: number, messageId: number): void {
  if (!deletions.ids.has(messageId)) return;
  const remaining = deletions.entries.filter(({ id }) => id !== messageId);
  persist(deletions, accountId, remaining);
}

export const serializeDeletions = (entries: readonly UndoableDeletion[]): string => JSON.stringify(entries.slice(-MAX_DELETIONS));

/** Returns the stored entries that have not expired; none for malformed data. */
export function parseDeletions(text: string | null, now: number): UndoableDeletion[] {
  try {
    const { data = [] } = deletionsSchema.safeParse(JSON.parse(text ?? "[]"));
    return data.filter((entry) => remainingMs(entry, now) > 0);
  } catch {
    return [];
  }
}

/** Returns the remaining milliseconds; a clock that was set back never extends the period. */
export const remainingMs = ({ until }: UndoableDeletion, now: number): number => Math.max(0, Math.min(until - now, RESTORE_MS));
