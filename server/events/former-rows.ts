/** Remembers records as they were before a transaction changed them, for the log of what agents do. */
import type { MetadataChanges } from "../../contract/metadata-records.ts";
import type { Row, Tx } from "../db/schema.ts";

interface FormerRows {
  file: Row<"files">;
  task: Row<"tasks">;
  comment: Pick<Row<"comments">, "id" | "resolved_at" | "deleted_at">;
  playlist: Row<"playlists">;
  /** `id`: of the file; `values`: those that the transaction changes. */
  metadata: { id: number; values: MetadataChanges };
}

const rowsOf = new WeakMap<Tx, Map<string, object>>();

const keyOf = (kind: keyof FormerRows, id: number): string => `${kind}:${id}`;

/** Call it with the records that the transaction has locked, before it changes them. The first call counts. */
export function rememberFormerRows<T extends keyof FormerRows>(tx: Tx, kind: T, rows: readonly FormerRows[T][]): void {
  const remembered = rowsOf.get(tx) ?? new Map<string, object>();
  rowsOf.set(tx, remembered);
  for (const row of rows) {
    const key = keyOf(kind, row.id);
    if (!remembered.has(key)) remembered.set(key, row);
  }
}

export const formerRow = <T extends keyof FormerRows>(tx: Tx, kind: T, id: number): FormerRows[T] | null =>
  (rowsOf.get(tx)?.get(keyOf(kind, id)) as FormerRows[T] | undefined) ?? null;
