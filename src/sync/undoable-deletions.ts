/** Stores which messages the user deleted in this browser and can still restore; the service allows that for ten minutes. */
import * as z from "zod/mini";
import { LIMITS } from "../../contract/limits.ts";
import { useClient } from "../client/client.ts";
import { parseJson } from "../lib/parse-json.ts";
import type { ServiceStorage } from "../lib/service-storage.ts";
import { createStore, type Store, useStore } from "../lib/store.ts";

export const RESTORE_MS = LIMITS.message_restore_seconds * 1_000;
/** Only the newest entries are stored. */
const MAX_DELETIONS = 20;

/** A deleted message that can be restored, until a time in epoch milliseconds by this browser's clock. */
const deletionSchema = z.object({ id: z.int(), until: z.number() });
const deletionsSchema = z.array(deletionSchema);
type UndoableDeletion = z.infer<typeof deletionSchema>;

type Timer = ReturnType<typeof setTimeout>;

export type UndoableDeletions = ReturnType<typeof createUndoableDeletions>;

export function createUndoableDeletions(storage: ServiceStorage) {
  const nameOf = (accountId: number) => `deleted.${accountId}` as const;
  const accounts = new Map<number, { entries: readonly UndoableDeletion[]; ids: Store<ReadonlySet<number>>; timers: Map<number, Timer> }>();
  const stopListening: (() => void)[] = [];

  function find(accountId: number) {
    const existing = accounts.get(accountId);
    if (existing) return existing;
    const created = { entries: [], ids: createStore<ReadonlySet<number>>(new Set()), timers: new Map<number, Timer>() };
    accounts.set(accountId, created);
    loadStored(accountId);
    stopListening.push(storage.onChange(nameOf(accountId), () => loadStored(accountId)));
    return created;
  }

  const loadStored = (accountId: number) => setEntries(accountId, parseDeletions(storage.get(nameOf(accountId)), Date.now()));

  function setEntries(accountId: number, entries: readonly UndoableDeletion[]): void {
    const account = find(accountId);
    account.entries = entries;
    const ids = new Set(entries.map(({ id }) => id));
    for (const [id, timer] of account.timers) {
      if (ids.has(id)) continue;
      clearTimeout(timer);
      account.timers.delete(id);
    }
    // A running timer is not restarted, because the clock may have been changed since.
    for (const entry of entries)
      if (!account.timers.has(entry.id))
        account.timers.set(
          entry.id,
          setTimeout(() => remove(accountId, entry.id), remainingMs(entry, Date.now())),
        );
    account.ids.set(ids);
  }

  function persist(accountId: number, entries: readonly UndoableDeletion[]): void {
    storage.set(nameOf(accountId), entries.length > 0 ? serializeDeletions(entries) : null);
    setEntries(accountId, entries);
  }

  const without = (accountId: number, messageId: number) => find(accountId).entries.filter(({ id }) => id !== messageId);
  function remove(accountId: number, messageId: number): void {
    if (find(accountId).ids.get().has(messageId)) persist(accountId, without(accountId, messageId));
  }

  return {
    /** Returns the ids of the messages that the account can restore. Other accounts in this browser do not see them. */
    forAccount: (accountId: number) => find(accountId).ids,
    record: (accountId: number, messageId: number) => persist(accountId, [...without(accountId, messageId), { id: messageId, until: Date.now() + RESTORE_MS }]),
    remove,
    dispose() {
      for (const stop of stopListening) stop();
      for (const { timers } of accounts.values()) for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** Returns the ids of the messages that the user can still restore. */
export const useUndoableDeletions = (accountId: number): ReadonlySet<number> => useStore(useClient().undoableDeletions.forAccount(accountId));

export const serializeDeletions = (entries: readonly UndoableDeletion[]): string => JSON.stringify(entries.slice(-MAX_DELETIONS));

/** Returns the stored entries that have not expired; none for malformed data. */
export function parseDeletions(text: string | null, now: number): UndoableDeletion[] {
  const { data = [] } = deletionsSchema.safeParse(parseJson(text ?? ""));
  return data.filter((entry) => remainingMs(entry, now) > 0);
}

/** Returns the remaining milliseconds; a clock that was set back never extends the period. */
export const remainingMs = ({ until }: UndoableDeletion, now: number): number => Math.max(0, Math.min(until - now, RESTORE_MS));
