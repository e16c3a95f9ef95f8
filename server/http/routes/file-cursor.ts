/** Cursors of file listings: the order they belong to and what it compares of the last row, in base64url. */
import type { FileSort } from "../../../contract/file-order.ts";
import { COLUMNS, SECTIONS, type Cursor, type Order } from "../../domain/files/page-query.ts";
import { invalid } from "../../lib/faults.ts";

const ENGINE_INT = 2 ** 31;
type Column = (typeof COLUMNS)[FileSort][number];

/** As the column holds them: an engine takes anything else for a fault. */
function fits(column: Column, value: unknown): boolean {
  if (column === "order_key" || column === "kind") return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
  if (column === "duration" || column === "bpm") return typeof value === "number" && Number.isFinite(value);
  return Number.isSafeInteger(value) && (column !== "status_rank" || Math.abs(value as number) < ENGINE_INT);
}

export const writeFileCursor = ({ section, values }: Cursor, { sort, descending }: Order): string =>
  Buffer.from(JSON.stringify([sort, descending ? 1 : 0, section, ...values])).toString("base64url");

export function readFileCursor(text: string | undefined, { sort, descending }: Order): Cursor | null {
  if (text === undefined) return null;
  const wrong = invalid("cursor", "must be a next_cursor of this list in this order");
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    throw wrong;
  }
  if (!Array.isArray(read)) throw wrong;
  const [itsSort, itsDirection, section, ...values] = read as unknown[];
  const columns: readonly Column[] = COLUMNS[sort];
  if (itsSort !== sort || itsDirection !== (descending ? 1 : 0) || values.length !== columns.length) throw wrong;
  const sections: readonly unknown[] = SECTIONS[sort];
  if (!sections.includes(section) || !columns.every((column, at) => fits(column, values[at]))) throw wrong;
  return { section: section as Cursor["section"], values: values as Cursor["values"] };
}
