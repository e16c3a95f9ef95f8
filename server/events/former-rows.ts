/** Remembers rows as they were before a transaction changed them, for the log of what agents do. */
import type { Row, Tx } from "../db/schema.ts";

const rowsOf = new WeakMap<Tx, Map<string, object>>();

const keyOf = (table: string, id: number): string => `${table}:${id}`;

/** Call it with the rows that the transaction has locked, before it changes them. The first call counts. */
export function rememberFormerRows<T extends "files" | "tasks">(tx: Tx, table: T, rows: readonly (Row<T> & { id: number })[]): void {
  const remembered = rowsOf.get(tx) ?? new Map<string, object>();
  rowsOf.set(tx, remembered);
  for (const row of rows) {
    const key = keyOf(table, row.id);
    if (!remembered.has(key)) remembered.set(key, row);
  }
}

export const formerRow = <T extends "files" | "tasks">(tx: Tx, table: T, id: number): Row<T> | null =>
  (rowsOf.get(tx)?.get(keyOf(table, id)) as Row<T> | undefined) ?? null;
