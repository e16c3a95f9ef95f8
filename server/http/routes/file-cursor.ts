/** Cursors of file listings: the sort order and the last row's sort values, in base64url. */
import type { FileSort } from "../../../contract/file-order.ts";
import { SORT_COLUMNS, SECTIONS, type Cursor, type SortOrder } from "../../domain/files/page-query.ts";
import { invalid } from "../../lib/faults.ts";

const MAX_ENGINE_INT = 2 ** 31;
type Column = (typeof SORT_COLUMNS)[FileSort][number];

/** Checks that the value fits the column, because the database reports any other value as an error. */
function isColumnValue(column: Column, value: unknown): boolean {
  if (column === "order_key" || column === "kind") return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
  if (column === "duration" || column === "bpm") return typeof value === "number" && Number.isFinite(value);
  return Number.isSafeInteger(value) && (column !== "status_rank" || Math.abs(value as number) < MAX_ENGINE_INT);
}

export const encodeFileCursor = ({ section, values }: Cursor, { sort, descending }: SortOrder): string =>
  Buffer.from(JSON.stringify([sort, descending ? 1 : 0, section, ...values])).toString("base64url");

export function decodeFileCursor(text: string | undefined, { sort, descending }: SortOrder): Cursor | null {
  if (text === undefined) return null;
  const invalidCursor = invalid("cursor", "must be a next_cursor of this list in this order");
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    throw invalidCursor;
  }
  if (!Array.isArray(decoded)) throw invalidCursor;
  const [cursorSort, cursorDirection, section, ...values] = decoded as unknown[];
  const columns: readonly Column[] = SORT_COLUMNS[sort];
  if (cursorSort !== sort || cursorDirection !== (descending ? 1 : 0) || values.length !== columns.length) throw invalidCursor;
  const sections: readonly unknown[] = SECTIONS[sort];
  if (!sections.includes(section) || !columns.every((column, index) => isColumnValue(column, values[index]))) throw invalidCursor;
  return { section: section as Cursor["section"], values: values as Cursor["values"] };
}
