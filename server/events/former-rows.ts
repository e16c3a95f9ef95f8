/** Remembers records as they were before a transaction changed them, for the log of what agents do. */
import type { MetadataChanges } from "../../contract/metadata-records.ts";
import type { Row, Tx } from "../db/schema.ts";

interface FormerRows {
  file: Pick<Row<"files">, "id" | (typeof STATE_COLUMNS.file)[number]>;
  task: Pick<Row<"tasks">, "id" | (typeof STATE_COLUMNS.task)[number]>;
  message: Pick<Row<"messages">, "id" | (typeof STATE_COLUMNS.message)[number]>;
  comment: Pick<Row<"comments">, "id" | (typeof STATE_COLUMNS.comment)[number]>;
  playlist: Pick<Row<"playlists">, "id" | (typeof STATE_COLUMNS.playlist)[number]>;
  /** `id`: of the file; `values` and `after`: of the fields that the transaction changes. */
  metadata: { id: number; values: MetadataChanges; after: MetadataChanges };
}

/** The columns that say what changed, and to what an undo returns. Texts of messages and comments are never among them. */
export const STATE_COLUMNS = {
  file: [
    "name",
    "parent_id",
    "status_id",
    "version_id",
    "removal_protection",
    "task_load_protection",
    "corrected_bpm",
    "corrected_key",
    "deleted_at",
    "deleted_by",
  ],
  task: ["title", "assignee_id", "due_at", "closed_at"],
  message: ["edited_at", "deleted_at"],
  comment: ["resolved_at", "edited_at", "deleted_at"],
  playlist: ["name", "gap_ms", "revision", "deleted_at"],
} as const;
export type RecordKind = keyof typeof STATE_COLUMNS;
export type StateOf<T extends RecordKind> = Pick<FormerRows[T], (typeof STATE_COLUMNS)[T][number] & keyof FormerRows[T]>;

const rowsOf = new WeakMap<Tx, Map<string, object>>();

/** Call it with the records that the transaction has locked, before it changes them. Of a record, the first call counts unless `replaces`. */
export function rememberFormerRows<T extends keyof FormerRows>(tx: Tx, kind: T, rows: readonly FormerRows[T][], replaces = false): void {
  const remembered = rowsOf.get(tx) ?? new Map<string, object>();
  rowsOf.set(tx, remembered);
  for (const row of rows) {
    const key = `${kind}:${row.id}`;
    if (replaces || !remembered.has(key)) remembered.set(key, row);
  }
}

/** Returns the record as it was; null if it was not remembered. */
export const formerRow = <T extends keyof FormerRows>(tx: Tx, kind: T, id: number): FormerRows[T] | null =>
  (rowsOf.get(tx)?.get(`${kind}:${id}`) as FormerRows[T] | undefined) ?? null;

/** Returns all that was remembered of a kind. */
export const formerRows = <T extends keyof FormerRows>(tx: Tx, kind: T): FormerRows[T][] =>
  [...(rowsOf.get(tx) ?? [])].flatMap(([key, row]) => (key.startsWith(`${kind}:`) ? [row as FormerRows[T]] : []));

/** Returns only the columns of the state. */
export const stateOf = <T extends RecordKind>(kind: T, row: FormerRows[T]): StateOf<T> =>
  Object.fromEntries(STATE_COLUMNS[kind].map((column) => [column, row[column as keyof FormerRows[T]]])) as StateOf<T>;

/** Returns the present state; null if the record does not exist. */
export async function loadState(tx: Tx, kind: RecordKind, id: number): Promise<Record<string, unknown> | null> {
  switch (kind) {
    case "file":
      return (await tx.selectFrom("files").select(STATE_COLUMNS.file).where("id", "=", id).executeTakeFirst()) ?? null;
    case "task":
      return (await tx.selectFrom("tasks").select(STATE_COLUMNS.task).where("id", "=", id).executeTakeFirst()) ?? null;
    case "message":
      return (await tx.selectFrom("messages").select(STATE_COLUMNS.message).where("id", "=", id).executeTakeFirst()) ?? null;
    case "comment":
      return (await tx.selectFrom("comments").select(STATE_COLUMNS.comment).where("id", "=", id).executeTakeFirst()) ?? null;
    case "playlist":
      return (await tx.selectFrom("playlists").select(STATE_COLUMNS.playlist).where("id", "=", id).executeTakeFirst()) ?? null;
  }
}
