/** Guessing is slow: 10 failures in 15 minutes per address, and per name at an address. */
import type { Database } from "../../db/database.ts";
import { MINUTE } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 15 * MINUTE;

/** Throws a 429 with the time to wait while any of the buckets is full. */
export async function demandPatience(database: Database, now: number, buckets: string[]): Promise<void> {
  for (const bucket of buckets) {
    const recent = await database.read
      .selectFrom("attempts")
      .select("created_at")
      .where("bucket", "=", bucket)
      .where("created_at", ">", now - WINDOW_MS)
      .orderBy("created_at", "desc")
      .limit(MAX_FAILURES)
      .execute();
    const oldest = recent[MAX_FAILURES - 1];
    if (oldest) {
      const seconds = Math.max(1, Math.ceil((oldest.created_at + WINDOW_MS - now) / 1_000));
      throw new Fault(429, `Too many failed attempts. Try again in ${Math.ceil(seconds / 60)} min.`, { retryAfter: seconds });
    }
  }
}

export async function recordFailure(database: Database, now: number, buckets: string[]): Promise<void> {
  await database.write(async (tx) => {
    await tx.deleteFrom("attempts").where("created_at", "<", now - WINDOW_MS).execute();
    await tx.insertInto("attempts").values(buckets.map((bucket) => ({ bucket, created_at: now }))).execute();
  });
}
