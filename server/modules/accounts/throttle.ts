/** Throttles password guessing: 10 failures in 15 minutes per network (an IPv4 address or an IPv6 /64), and per name in a network. */
import type { Database } from "../../db/database.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { MINUTE } from "../../lib/clock.ts";
import { HttpError } from "../../lib/errors.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 15 * MINUTE;

/** The stored names of the limits. Each counts failures on its own. */
export const throttleBuckets = {
  setup: (network: string) => `setup ${network}`,
  invite: (network: string) => `invite ${network}`,
  passwordReset: (network: string) => `reset ${network}`,
  failedSignIns: (network: string) => `address ${network}`,
  /** Sign-ins that are being verified. */
  pendingSignIns: (network: string) => `tries ${network}`,
  passwordChange: (accountId: number) => `password ${accountId}`,
  signInsOfName: (name: string, network: string) => `account ${name} ${network}`,
};

/** Throws a 429 with `Retry-After` while the bucket is full. */
export async function assertNotThrottled(db: Db, now: number, bucket: string, maxFailures = MAX_FAILURES): Promise<void> {
  const recent = await db
    .selectFrom("attempts")
    .select("created_at")
    .where("bucket", "=", bucket)
    .where("created_at", ">", now - WINDOW_MS)
    .orderBy("created_at", "desc")
    .limit(maxFailures)
    .execute();
  const oldest = recent[maxFailures - 1];
  if (!oldest) return;
  const seconds = Math.max(1, Math.ceil((oldest.created_at + WINDOW_MS - now) / 1_000));
  throw new HttpError(429, `Too many failed attempts. Try again in ${Math.ceil(seconds / 60)} min.`, { retryAfter: seconds });
}

async function insertFailure(tx: Tx, now: number, bucket: string): Promise<number> {
  await tx
    .deleteFrom("attempts")
    .where("created_at", "<=", now - WINDOW_MS)
    .execute();
  const { id } = await tx.insertInto("attempts").values({ bucket, created_at: now }).returning("id").executeTakeFirstOrThrow();
  return id;
}

export const recordFailure = (database: Database, now: number, bucket: string): Promise<number> => database.write((tx) => insertFailure(tx, now, bucket));

/**
 * Counts an attempt as failed before it is verified, so that concurrent attempts cannot bypass the limit. Throws a 429 if the bucket is full. After a
 * successful check, the caller passes the returned id to `releaseAttempt`.
 */
export function reserveAttempt(database: Database, now: number, bucket: string, maxFailures = MAX_FAILURES): Promise<number> {
  return database.write(async (tx) => {
    await acquireAdvisoryLock(tx, database.engine, bucket);
    await assertNotThrottled(tx, now, bucket, maxFailures);
    return insertFailure(tx, now, bucket);
  });
}

export async function releaseAttempt(tx: Tx, attempt: number): Promise<void> {
  await tx.deleteFrom("attempts").where("id", "=", attempt).execute();
}
