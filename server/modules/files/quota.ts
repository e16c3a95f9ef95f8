/** The storage quota of an organization: what is stored and what is under way together never exceed it, in all processes. */
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { MINUTE } from "../../lib/clock.ts";
import { newSecret } from "../../lib/crypto.ts";
import { HttpError } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";

type QuotaDeps = Pick<FilesDeps, "database" | "clock" | "limits">;

/** A stream without a declared size reserves this many bytes at a time, or what is left. */
const STEP_BYTES = 8 * 1024 * 1024;
/** A reservation that was not renewed for this long belonged to a process that is gone. */
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
 * removed, because they occupy the disk until then. `ownId`: the resumable upload or the reservation that asks, which does not count.
 */
export async function loadRemainingQuota({ clock, limits }: QuotaDeps, db: Db, organisationId: number, ownId = ""): Promise<number> {
  if (limits.quotaBytes === 0) return Number.POSITIVE_INFINITY;
  const stored = await db
    .selectFrom("blobs")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("size"), eb.lit(0)).as("bytes"))
    .where("organisation_id", "=", organisationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  const resumable = await db
    .selectFrom("uploads")
    .innerJoin("accounts", "accounts.id", "uploads.account_id")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("uploads.size"), eb.lit(0)).as("bytes"))
    .where("accounts.organisation_id", "=", organisationId)
    .where("uploads.file_id", "is", null)
    .where("uploads.id", "!=", ownId)
    .executeTakeFirstOrThrow();
  const reserved = await db
    .selectFrom("upload_reservations")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("bytes"), eb.lit(0)).as("bytes"))
    .where("organisation_id", "=", organisationId)
    .where("expires_at", ">", clock.now())
    .where("id", "!=", ownId)
    .executeTakeFirstOrThrow();
  return Math.max(0, limits.quotaBytes - stored.bytes - resumable.bytes - reserved.bytes);
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

/** Ends a reservation in the transaction that records its bytes, so that these always count once. */
export const releaseReservation = async (tx: Tx, id: string): Promise<void> => void (await tx.deleteFrom("upload_reservations").where("id", "=", id).execute());

export interface QuotaReservation {
  /** The `ownId` of the transaction that records the bytes. */
  id: string;
  /** Passes the stream on and reserves quota before each part of it; throws a 413 once there is none left. */
  admit(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Ends the reservation if no transaction has done so, after the bytes are removed. */
  release(): Promise<void>;
}

/** Reserves the declared size of an upload that arrives in one request, or what of it arrives. */
export function createQuotaReservation(deps: QuotaDeps, organisationId: number, declaredBytes: number | undefined): QuotaReservation {
  const { database, clock, limits } = deps;
  const id = newSecret();
  if (limits.quotaBytes === 0) return { id, admit: (source) => source, release: async () => {} };

  /** Reserves `wanted` bytes in all, or fewer if that exceeds the quota, but at least `needed`. */
  const reserve = (needed: number, wanted: number): Promise<number> =>
    database.write(async (tx) => {
      await lockQuota(deps, tx, organisationId);
      const remaining = await loadRemainingQuota(deps, tx, organisationId, id);
      if (needed > remaining) throw new OverQuotaError();
      const row = { bytes: Math.min(wanted, remaining), expires_at: clock.now() + RESERVATION_MS };
      await tx
        .insertInto("upload_reservations")
        .values({ id, organisation_id: organisationId, ...row })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
      await tx.deleteFrom("upload_reservations").where("expires_at", "<=", clock.now()).execute();
      return row.bytes;
    });

  return {
    id,
    async *admit(source) {
      let size = 0;
      let renewAt = clock.now() + RESERVATION_MS / 2;
      let reserved = await reserve(declaredBytes ?? 0, declaredBytes ?? 0);
      for await (const chunk of source) {
        size += chunk.length;
        if (size > reserved || clock.now() > renewAt) {
          renewAt = clock.now() + RESERVATION_MS / 2;
          reserved = await reserve(size, Math.max(reserved, declaredBytes ?? 0, size > reserved ? size + STEP_BYTES : size));
        }
        yield chunk;
      }
    },
    release: () => database.write((tx) => releaseReservation(tx, id)),
  };
}

/** Ends all reservations. Only for when no other process receives uploads. */
export const releaseReservations = ({ database }: Pick<FilesDeps, "database">): Promise<void> =>
  database.write(async (tx) => void (await tx.deleteFrom("upload_reservations").execute()));
