/** Serializes the restorable messages that this browser stores: their ids and how long they can be restored. */
import * as z from "zod/mini";
import { LIMITS } from "../../../contract/limits.ts";

export interface Restorable {
  id: number;
  /** Epoch milliseconds by this browser's clock. */
  until: number;
}

export const RESTORE_MS = LIMITS.message_restore_seconds * 1_000;
/** Only the newest entries are stored. */
const MAX_RESTORABLES = 20;

const restorablesSchema = z.array(z.object({ id: z.int(), until: z.number() }));

export const serializeRestorables = (entries: readonly Restorable[]): string => JSON.stringify(entries.slice(-MAX_RESTORABLES));

/** Returns the stored entries that have not expired; none for malformed data. */
export function parseRestorables(text: string | null, now: number): Restorable[] {
  try {
    const { data = [] } = restorablesSchema.safeParse(JSON.parse(text ?? "[]"));
    return data.filter((entry) => remainingMs(entry, now) > 0);
  } catch {
    return [];
  }
}

/** Returns the remaining milliseconds; a clock that was set back never extends the period. */
export const remainingMs = ({ until }: Restorable, now: number): number => Math.max(0, Math.min(until - now, RESTORE_MS));
