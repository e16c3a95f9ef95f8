/** The storage quota of an organization: what is stored and what is under way together never exceed it, in all processes. */
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { admitInSteps, STEP_BYTES } from "../../lib/admit-in-steps.ts";
import { MINUTE } from "../../lib/clock.ts";
import { newSecret } from "../../lib/crypto.ts";
import { HttpError } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";

type QuotaDeps = Pick<FilesDeps, "database" | "clock" | "limits">;

/** The reservation of an upload in one request that was not renewed for this long belonged to a process that is gone. */
const RESERVATION_MS = 10 * MINUTE;

export class OverQuotaError extends HttpError {
  constructor() {
    super(
      413,
      "Your organization doesn't have enough storage left for this file. Deleted files free up space after 30 days; your administrator can raise the limit.",
    );
  }
}

/**
 * Returns the bytes that the organization may still store. Files under way count with what they have reserved, and deleted files until their bytes are
 * removed, because they occupy the disk until then. `ownId`: the reservation that asks, which does not count.
 */
export async function loadRemainingQuota({ clock, limits }: QuotaDeps, db: Db, organisationId: number, ownId = ""): Promise<number> {
  if (limits.quotaBytes === 0) return Number.POSITIVE_INFINITY;
  const stored = await db.selectFrom("stored_bytes").select("bytes").where("organisation_id", "=", organisationId).executeTakeFirst();
  const reserved = await db
    .selectFrom("upload_reservations")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("bytes"), eb.lit(0)).as("bytes"))
    .where("organisation_id", "=", organisationId)
    .where("expires_at", ">", clock.now())
    .where("id", "!=", ownId)
    .executeTakeFirstOrThrow();
  return Math.max(0, limits.quotaBytes - (stored?.bytes ?? 0) - reserved.bytes);
}

/** Throws a 413 if these bytes exceed the remaining quota. */
export async function assertQuota(deps: QuotaDeps, db: Db, organisationId: number, bytes: number, ownId?: string): Promise<void> {
  if (bytes > (await loadRemainingQuota(deps, db, organisationId, ownId))) throw new OverQuotaError();
}

/** Serializes the transactions that use an organization's quota, so that two cannot both claim the remainder. */
async function lockQuota({ database, limits }: QuotaDeps, tx: Tx, organisationId: number): Promise<void> {
  // Processes of different versions share this lock, so its name must not change.
  if (limits.quotaBytes > 0) await acquireAdvisoryLock(tx, database.engine, `room of organisation ${organisationId}`);
}

/** Checks the quota under a lock in the transaction that uses it. `ownId` as in `loadRemainingQuota`. */
export async function claimQuota(deps: QuotaDeps, tx: Tx, organisationId: number, bytes: number, ownId?: string): Promise<void> {
  await lockQuota(deps, tx, organisationId);
  await assertQuota(deps, tx, organisationId, bytes, ownId);
}

/** Ends a reservation in the transaction that records its bytes or ends the upload, so that these count once at most. */
export const releaseReservation = async (tx: Tx, id: string): Promise<void> => void (await tx.deleteFrom("upload_reservations").where("id", "=", id).execute());

/** Reserves `wanted` bytes in all, or fewer if that exceeds the quota, but at least `needed`, and returns how many; else throws a 413. */
function reserve(deps: QuotaDeps, row: { id: string; organisation_id: number; expires_at: number }, needed: number, wanted: number): Promise<number> {
  const { database, clock } = deps;
  const { id, organisation_id, expires_at } = row;
  return database.write(async (tx) => {
    await lockQuota(deps, tx, organisation_id);
    const remaining = await loadRemainingQuota(deps, tx, organisation_id, id);
    if (needed > remaining) throw new OverQuotaError();
    const bytes = Math.min(wanted, remaining);
    await tx
      .insertInto("upload_reservations")
      .values({ ...row, bytes })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ bytes, expires_at }))
      .execute();
    await tx.deleteFrom("upload_reservations").where("expires_at", "<=", clock.now()).execute();
    return bytes;
  });
}

export interface QuotaReservation {
  /** The `ownId` of the transaction that records the bytes. */
  id: string;
  /** Passes the stream on and reserves quota before each part of it; throws a 413 once there is none left. */
  admit(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Ends the reservation if no transaction has done so, after the bytes are removed. */
  release(): Promise<void>;
}

/**
 * Reserves quota for an upload that arrives in one request, in steps that double what it has, up to its declared size, which must fit when it begins. So
 * nobody holds much quota by declaring it.
 */
export function createQuotaReservation(deps: QuotaDeps, organisationId: number, declaredBytes = 0): QuotaReservation {
  const { database, clock, limits } = deps;
  const id = newSecret();
  if (limits.quotaBytes === 0) return { id, admit: (source) => source, release: async () => {} };
  let reserved = 0;
  let renewAt = 0;
  const most = declaredBytes || Number.POSITIVE_INFINITY;
  const admit = async (needed: number, wanted: number): Promise<number> => {
    const now = clock.now();
    renewAt = now + RESERVATION_MS / 2;
    return (reserved = await reserve(deps, { id, organisation_id: organisationId, expires_at: now + RESERVATION_MS }, needed, wanted));
  };

  /** A slow stream keeps its reservation. */
  async function* renew(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (clock.now() > renewAt) await admit(reserved, reserved);
      yield chunk;
    }
  }

  return {
    id,
    async *admit(source) {
      const first = await admit(declaredBytes, Math.min(STEP_BYTES, declaredBytes));
      yield* admitInSteps(renew(source), { admit: (needed, wanted) => admit(needed, Math.max(needed, Math.min(most, needed + wanted))) }, first);
    },
    release: () => database.write((tx) => releaseReservation(tx, id)),
  };
}

/** A part of a resumable upload. */
interface ResumedPart {
  id: string;
  organisationId: number;
  /** Declared bytes of the upload. */
  size: number;
  /** Bytes that have arrived before this part. */
  offset: number;
  /** When the upload can no longer be continued. */
  expiresAt: number;
}

export interface PartReservation {
  /** As in `QuotaReservation`. Bytes that have arrived already stay when the rest is refused. */
  admit(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Keeps only what has arrived in all reserved, when the part ends. */
  settle(arrived: number): Promise<void>;
}

/** Reserves what has arrived of a resumable upload and the next step of it, so that nobody holds quota with uploads that send nothing. */
export function createPartReservation(deps: QuotaDeps, { id, organisationId, size, offset, expiresAt }: ResumedPart): PartReservation {
  if (deps.limits.quotaBytes === 0) return { admit: (source) => source, settle: async () => {} };
  const row = { id, organisation_id: organisationId, expires_at: expiresAt };
  return {
    admit: (source) =>
      admitInSteps(source, {
        admit: async (needed, wanted) => (await reserve(deps, row, offset + needed, Math.max(offset + needed, Math.min(offset + wanted, size)))) - offset,
      }),
    settle: (arrived) =>
      deps.database.write(async (tx) => void (await tx.updateTable("upload_reservations").set({ bytes: arrived }).where("id", "=", id).execute())),
  };
}

/** Ends the reservations of uploads in one request. Only for when no other process receives uploads. */
export const releaseReservations = ({ database }: Pick<FilesDeps, "database">): Promise<void> =>
  database.write(
    async (tx) =>
      void (await tx
        .deleteFrom("upload_reservations")
        .where("id", "not in", (eb) => eb.selectFrom("uploads").select("id").where("file_id", "is", null))
        .execute()),
  );
