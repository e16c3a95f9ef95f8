/** Idempotent writes: the first result is stored for one day under the caller's `Idempotency-Key`. */
import type { Tx } from "../db/schema.ts";
import { RETENTION } from "../events/retention.ts";
import { conflict } from "../lib/errors.ts";
import type { Actor } from "./access.ts";
import { hashJson } from "../lib/crypto.ts";

/** A caller's key with its operation and request. */
export interface IdempotencyKey {
  operation: string;
  key: string;
  request: unknown;
}

/**
 * Runs `work` once per key inside the transaction, or always if the caller sent no key; a repeated call returns the result that `toStoredResult` derived
 * from the first one (it must omit secrets that are shown once). Throws a 409 if the same key comes with another request.
 */
export async function runIdempotent<T>(
  tx: Tx,
  actor: Actor,
  idempotencyKey: IdempotencyKey | null,
  now: number,
  work: () => Promise<T>,
  toStoredResult: (result: T) => T = (result) => result,
): Promise<T> {
  if (!idempotencyKey) return work();
  const requestHash = hashJson(idempotencyKey.request);
  await tx
    .deleteFrom("idempotency")
    .where("account_id", "=", actor.accountId)
    .where("created_at", "<=", now - RETENTION.idempotencyMs)
    .execute();
  const keyColumns = { account_id: actor.accountId, operation: idempotencyKey.operation, key: idempotencyKey.key };
  // Claiming the key first makes a concurrent duplicate wait for this transaction on PostgreSQL; SQLite runs one write at a time anyway.
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
    if (stored.request_hash !== requestHash) throw conflict("This Idempotency-Key was already used for a different request.");
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
