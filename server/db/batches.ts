/** Changes many rows in small transactions, so that other writes get in between. */
import type { Database } from "./database.ts";
import type { Db, Tx } from "./schema.ts";

/** Rows of one transaction. Deleting as many takes a few milliseconds. */
export const BATCH_SIZE = 500;

/** What runs in batches. Both parts select by the same condition, because a row may change between them. */
export interface BatchWork<T> {
  /** Finds at most `limit` rows to change, outside a transaction. It must not find a row again that was changed. */
  find(db: Db, limit: number): Promise<T[]>;
  /** Changes those of the rows that still are to be changed, and returns their number. */
  change(tx: Tx, rows: T[]): Promise<number>;
}

/** Runs until nothing is left to change, and returns the number of changed rows. Safe to run in two processes at once. */
export async function runInBatches<T>(database: Database, { find, change }: BatchWork<T>, batchSize = BATCH_SIZE): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await find(database.backgroundRead, batchSize);
    const count = rows.length === 0 ? 0 : await database.backgroundWrite((tx) => change(tx, rows));
    total += count;
    // Rows that were found and not changed are locked or were changed by somebody else: the next run finds what is left of them.
    if (rows.length < batchSize || count === 0) return total;
  }
}

/** The number of deleted or updated rows. */
export const affectedRows = ({ numDeletedRows, numUpdatedRows }: { numDeletedRows?: bigint; numUpdatedRows?: bigint }): number =>
  Number(numDeletedRows ?? numUpdatedRows ?? 0);
