/** Limits on how many records there can be (`LIMITS`), so that lists which are answered whole stay short. */
import type { SelectQueryBuilder } from "kysely";
import type { Engine } from "../db/database.ts";
import { acquireAdvisoryLock } from "../db/engine-sql.ts";
import type { Schema, Tx } from "../db/schema.ts";
import { conflict } from "../lib/errors.ts";

/** Throws a 409 if the query finds `max` rows already. Until the transaction ends, others with the same `name` wait. */
export async function assertCountBelow<T extends keyof Schema, O>(
  tx: Tx,
  engine: Engine,
  { name, max, rows, denial }: { name: string; max: number; rows: SelectQueryBuilder<Schema, T, O>; denial: string },
): Promise<void> {
  await acquireAdvisoryLock(tx, engine, name);
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  if (count >= max) throw conflict(denial);
}
