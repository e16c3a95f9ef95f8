/** Records blobs and their removal, and keeps the stored bytes of each organization, so that the quota need not add up all blobs. */
import { sql } from "kysely";
import type { Tx } from "../../db/schema.ts";
import type { StoredBlob } from "../../storage/storage.ts";

async function addStoredBytes(tx: Tx, organisation_id: number, bytes: number): Promise<void> {
  await tx
    .insertInto("stored_bytes")
    .values({ organisation_id, bytes })
    .onConflict((conflict) => conflict.column("organisation_id").doUpdateSet({ bytes: sql`stored_bytes.bytes + excluded.bytes` }))
    .execute();
}

async function subtractStoredBytes(tx: Tx, removed: readonly { organisation_id: number; size: number }[]): Promise<void> {
  for (const [organisationId, blobs] of Map.groupBy(removed, ({ organisation_id }) => organisation_id))
    await addStoredBytes(tx, organisationId, -blobs.reduce((sum, { size }) => sum + size, 0));
}

export async function insertBlobs(tx: Tx, organisationId: number, blobs: readonly StoredBlob[], now: number): Promise<void> {
  if (blobs.length === 0) return;
  const rows = blobs.map(({ key, size, sha256 }) => ({ key, organisation_id: organisationId, size, sha256, created_at: now }));
  await tx.insertInto("blobs").values(rows).execute();
  await addStoredBytes(
    tx,
    organisationId,
    blobs.reduce((sum, { size }) => sum + size, 0),
  );
}

export async function deleteBlobs(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const removed = await tx.deleteFrom("blobs").where("key", "in", keys).returning(["organisation_id", "size", "deleted_at"]).execute();
  await subtractStoredBytes(
    tx,
    removed.filter(({ deleted_at }) => deleted_at === null),
  );
}

/** Marks blobs whose bytes are gone; their rows say what a version was. */
export async function markBlobsDeleted(tx: Tx, keys: readonly string[], now: number): Promise<void> {
  if (keys.length === 0) return;
  const removed = await tx
    .updateTable("blobs")
    .set({ deleted_at: now })
    .where("key", "in", keys)
    .where("deleted_at", "is", null)
    .returning(["organisation_id", "size"])
    .execute();
  await subtractStoredBytes(tx, removed);
}
