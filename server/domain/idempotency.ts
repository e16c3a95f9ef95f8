/** Writes that may be repeated: the first result is kept for a day under the caller's `Idempotency-Key`. */
import { createHash } from "node:crypto";
import type { Tx } from "../db/schema.ts";
import { DAY } from "../lib/clock.ts";
import { conflict } from "../lib/faults.ts";
import type { Actor } from "./access.ts";

const KEPT_MS = DAY;

/** A caller's key with what it was used for. null: the caller sent none. */
export type Repeat = { operation: string; key: string; request: unknown } | null;

export const hashRequest = (request: unknown): string => createHash("sha256").update(JSON.stringify(request)).digest("hex");

/**
 * Runs `work` once per key inside the transaction; a repetition answers what `keep` kept of the first result
 * (leave out secrets that are shown once). The same key with another request is a 409.
 */
export async function once<T>(
  tx: Tx,
  actor: Actor,
  repeat: Repeat,
  now: number,
  work: () => Promise<T>,
  keep: (result: T) => T = (result) => result,
): Promise<T> {
  if (!repeat) return work();
  const requestHash = hashRequest(repeat.request);
  await tx
    .deleteFrom("idempotency")
    .where("account_id", "=", actor.accountId)
    .where("created_at", "<=", now - KEPT_MS)
    .execute();
  const mine = { account_id: actor.accountId, operation: repeat.operation, key: repeat.key };
  // Claiming the key first makes a concurrent twin wait for this transaction on PostgreSQL; on SQLite it waits anyway.
  const claimed = await tx
    .insertInto("idempotency")
    .values({ ...mine, request_hash: requestHash, result: "", created_at: now })
    .onConflict((on) => on.columns(["account_id", "operation", "key"]).doNothing())
    .executeTakeFirst();
  const where = () =>
    tx.selectFrom("idempotency").selectAll().where("account_id", "=", mine.account_id).where("operation", "=", mine.operation).where("key", "=", mine.key);
  if (Number(claimed.numInsertedOrUpdatedRows) === 0) {
    const earlier = await where().executeTakeFirstOrThrow();
    if (earlier.request_hash !== requestHash) throw conflict("This Idempotency-Key was used for another request.");
    return JSON.parse(earlier.result) as T;
  }
  const result = await work();
  await tx
    .updateTable("idempotency")
    .set({ result: JSON.stringify(keep(result)) })
    .where("account_id", "=", mine.account_id)
    .where("operation", "=", mine.operation)
    .where("key", "=", mine.key)
    .execute();
  return result;
}
