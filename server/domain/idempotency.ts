/** Writes that may be repeated: the first result is kept for a day under the caller's `Idempotency-Key`. */
import { createHash } from "node:crypto";
import type { Tx } from "../db/schema.ts";
import { DAY } from "../lib/clock.ts";
import { conflict } from "../lib/faults.ts";
import type { Actor } from "./access.ts";

const IDEMPOTENCY_TTL_MS = DAY;

/** A caller's key with what it was used for. null: the caller sent none. */
export type IdempotencyKey = { operation: string; key: string; request: unknown } | null;

export const hashRequest = (request: unknown): string => createHash("sha256").update(JSON.stringify(request)).digest("hex");

/**
 * Runs `work` once per key inside the transaction; a repetition answers what `toStoredResult` kept of the first result
 * (leave out secrets that are shown once). The same key with another request is a 409.
 */
export async function runIdempotent<T>(
  tx: Tx,
  actor: Actor,
  idempotencyKey: IdempotencyKey,
  now: number,
  work: () => Promise<T>,
  toStoredResult: (result: T) => T = (result) => result,
): Promise<T> {
  if (!idempotencyKey) return work();
  const requestHash = hashRequest(idempotencyKey.request);
  await tx
    .deleteFrom("idempotency")
    .where("account_id", "=", actor.accountId)
    .where("created_at", "<=", now - IDEMPOTENCY_TTL_MS)
    .execute();
  const keyColumns = { account_id: actor.accountId, operation: idempotencyKey.operation, key: idempotencyKey.key };
  // Claiming the key first makes a concurrent twin wait for this transaction on PostgreSQL; on SQLite it waits anyway.
  const claimed = await tx
    .insertInto("idempotency")
    .values({ ...keyColumns, request_hash: requestHash, result: "", created_at: now })
    .onConflict((on) => on.columns(["account_id", "operation", "key"]).doNothing())
    .executeTakeFirst();
  const selectStored = () =>
    tx
      .selectFrom("idempotency")
      .selectAll()
      .where("account_id", "=", keyColumns.account_id)
      .where("operation", "=", keyColumns.operation)
      .where("key", "=", keyColumns.key);
  if (Number(claimed.numInsertedOrUpdatedRows) === 0) {
    const stored = await selectStored().executeTakeFirstOrThrow();
    if (stored.request_hash !== requestHash) throw conflict("This Idempotency-Key was used for another request.");
    return JSON.parse(stored.result) as T;
  }
  const result = await work();
  await tx
    .updateTable("idempotency")
    .set({ result: JSON.stringify(toStoredResult(result)) })
    .where("account_id", "=", keyColumns.account_id)
    .where("operation", "=", keyColumns.operation)
    .where("key", "=", keyColumns.key)
    .execute();
  return result;
}
