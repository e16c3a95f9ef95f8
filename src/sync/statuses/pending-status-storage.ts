/** Stores pending status changes by account in this browser; they are small enough to be written synchronously with the click. */
import * as z from "zod/mini";
import { fileStatus } from "../../../contract/records.ts";
import { onPersistedChange, getPersisted, setPersisted } from "../../lib/local-storage.ts";
import type { PendingStatusChange } from "./pending-status-changes.ts";

const storedChangeSchema = z.object({
  id: z.string(),
  teamId: z.int(),
  status: fileStatus,
  note: z.string(),
  files: z.array(z.object({ id: z.int(), name: z.string(), before: z.nullable(fileStatus) })).check(z.minLength(1)),
  /** When it was written, in epoch milliseconds, and in which tab. */
  at: z.number(),
  tab: z.string(),
});
export type StoredStatusChange = z.infer<typeof storedChangeSchema>;

export interface PendingStatusStorage {
  all(): StoredStatusChange[];
  save(change: PendingStatusChange): void;
  remove(id: string): void;
  /** Calls back when another tab has written; returns the unsubscribe function. */
  onExternalChange(listener: () => void): () => void;
}

const storageKey = (accountId: number) => `status-choices.${accountId}`;

export function createPendingStatusStorage(accountId: number, tab: string): PendingStatusStorage {
  const key = storageKey(accountId);
  function all(): StoredStatusChange[] {
    try {
      const list: unknown = JSON.parse(getPersisted(key) ?? "[]");
      return (Array.isArray(list) ? list : []).flatMap((item) => storedChangeSchema.safeParse(item).data ?? []);
    } catch {
      return [];
    }
  }
  const write = (list: readonly StoredStatusChange[]) => setPersisted(key, list.length === 0 ? null : JSON.stringify(list));
  return {
    all,
    save({ id, teamId, status, note, files }) {
      write([...all().filter((item) => item.id !== id), { id, teamId, status, note, files: [...files], at: Date.now(), tab }]);
    },
    remove(id) {
      const list = all();
      if (list.some((item) => item.id === id)) write(list.filter((item) => item.id !== id));
    },
    onExternalChange(listener) {
      let isStopped = false;
      onPersistedChange((changedKey) => {
        if (!isStopped && changedKey === key) listener();
      });
      return () => (isStopped = true);
    },
  };
}
