/** Storage quota of an organization. Deleted files count until their bytes are removed, because they occupy the disk until then. */
import { acquireAdvisoryLock } from "../../db/portable.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { HttpError } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";

type QuotaDeps = Pick<FilesDeps, "database" | "limits">;

export function assertSize({ limits }: QuotaDeps, bytes: number): void {
  if (bytes > limits.uploadBytes) throw new HttpError(413, `The file is larger than the limit of ${limits.uploadBytes.toLocaleString("en")} bytes.`);
}

/** Throws a 413 if these bytes exceed the remaining quota. */
export async function assertQuota(deps: QuotaDeps, db: Db, organisationId: number, bytes: number): Promise<void> {
  const { organisationBytes } = deps.limits;
  if (organisationBytes === 0) return;
  const { used } = await db
    .selectFrom("blobs")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number | string>("size"), eb.lit(0)).as("used"))
    .where("organisation_id", "=", organisationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(used) + bytes > organisationBytes) {
    throw new HttpError(
      413,
      "Your organization doesn't have enough storage left for this file. Deleted files free up space after 30 days; your administrator can raise the limit.",
    );
  }
}

/** Checks the quota under a lock in the transaction that uses it, so that two uploads cannot both claim the remainder. */
export async function claimQuota(deps: QuotaDeps, tx: Tx, organisationId: number, bytes: number): Promise<void> {
  // Processes of different versions share this lock, so its name must not change.
  if (deps.limits.organisationBytes > 0) await acquireAdvisoryLock(tx, deps.database.engine, `room of organisation ${organisationId}`);
  await assertQuota(deps, tx, organisationId, bytes);
}
