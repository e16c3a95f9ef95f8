/** List cursors: opaque to callers, currently the last id in base64url. */
import { LIMITS } from "../../contract/limits.ts";
import { invalid } from "../lib/errors.ts";

/** Returns the id after which the page begins, 0 for the first page, and the page size. Throws a 400 for an invalid cursor. */
export function parsePage(query: { cursor?: string | undefined; limit?: number | undefined }): { after: number; limit: number } {
  const limit = Math.min(query.limit ?? LIMITS.history_default, LIMITS.history_max);
  if (query.cursor === undefined) return { after: 0, limit };
  const [, id] = /^after:(\d{1,16})$/.exec(Buffer.from(query.cursor, "base64url").toString()) ?? [];
  if (!id) throw invalid("cursor", "must be a next_cursor of this list");
  return { after: Number(id), limit };
}

export const encodeCursor = (id: number | null): string | null => (id === null ? null : Buffer.from(`after:${id}`).toString("base64url"));

/** Splits rows that were read with a limit of `limit + 1` into the page and the id after which the next page begins; null on the last one. */
export function toPage<T extends { id: number }>(rows: readonly T[], limit: number): { rows: T[]; next: number | null } {
  const pageRows = rows.slice(0, limit);
  return { rows: pageRows, next: rows.length > limit ? (pageRows.at(-1)?.id ?? null) : null };
}
