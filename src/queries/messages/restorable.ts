/** What this browser remembers of messages that its person has deleted: which they are, and for how long they can be brought back. */
import * as z from "zod/mini";
import { LIMITS } from "../../../contract/limits.ts";

export interface Restorable {
  id: number;
  /** Epoch milliseconds by this browser's clock. */
  until: number;
}

export const RESTORE_MS = LIMITS.message_restore_seconds * 1_000;
/** So many are remembered, the last ones. */
const MAX_RESTORABLES = 20;

const restorablesSchema = z.array(z.object({ id: z.int(), until: z.number() }));

export const serializeRestorables = (entries: readonly Restorable[]): string => JSON.stringify(entries.slice(-MAX_RESTORABLES));

/** What was written and still holds; nothing where it is not ours. */
export function parseRestorables(text: string | null, now: number): Restorable[] {
  try {
    const { data = [] } = restorablesSchema.safeParse(JSON.parse(text ?? "[]"));
    return data.filter((entry) => remainingMs(entry, now) > 0);
  } catch {
    return [];
  }
}

/** Milliseconds. A clock that was set back makes no time longer than it was. */
export const remainingMs = ({ until }: Restorable, now: number): number => Math.max(0, Math.min(until - now, RESTORE_MS));
