/** Pages of lists: cursors, which are opaque to callers (currently the last id in base64url), and the bound of a page in bytes. */
import { setImmediate } from "node:timers/promises";
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

/** The same for `pageBody`: lists of v1 have as many records as a page can have, unless the body asks for fewer. */
export const parseBodyPage = ({ cursor, limit }: { cursor?: string | undefined; limit?: number | null | undefined }) =>
  parsePage({ cursor, limit: limit ?? LIMITS.history_max });

export const encodeCursor = (id: number | null): string | null => (id === null ? null : Buffer.from(`after:${id}`).toString("base64url"));

/** A page ends once its records are this long together as JSON; one longer record is a page of its own. */
export const MAX_PAGE_BYTES = 1_000_000;
/** Rows per query, so that few rows are loaded in vain where records are long. */
const BATCH_SIZE = 50;

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns as many of the first rows as fit into a page, at least one. */
export function cutToPage<T>(rows: readonly T[]): T[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += jsonBytes(row)) > MAX_PAGE_BYTES && index > 0);
  return rows.slice(0, end === -1 ? rows.length : end);
}

/**
 * Splits rows that were read with a limit of `limit + 1` into the page, which ends at `MAX_PAGE_BYTES`, and the id after which the next page begins; null on
 * the last one.
 */
export function toPage<T extends { id: number }>(rows: readonly T[], limit: number): { rows: T[]; next: number | null } {
  const pageRows = cutToPage(rows.slice(0, limit));
  return { rows: pageRows, next: rows.length > pageRows.length ? (pageRows.at(-1)?.id ?? null) : null };
}

export interface PageSize {
  limit: number;
  maxBytes?: number;
}

interface PageSource<R, V> extends PageSize {
  /** Returns up to `count` rows that follow `last`, or the first ones. */
  load(last: R | null, count: number): Promise<R[]>;
  /** Loads what belongs to the rows, in their order; undefined for what was deleted meanwhile. */
  complete(rows: R[]): Promise<(V | undefined)[]>;
  present(view: V): unknown;
}

/** For `load` of a page whose rows, one more than its limit, are loaded already. */
export const takeFrom =
  <R>(rows: readonly R[]) =>
  async (last: R | null, count: number): Promise<R[]> => {
    const start = last === null ? 0 : rows.indexOf(last) + 1;
    return rows.slice(start, start + count);
  };

interface LoadedPage<R, V> {
  rows: R[];
  views: V[];
  /** The JSON of each view. */
  texts: string[];
  /** True if rows follow. */
  hasMore: boolean;
}

/** Loads a page in batches until it has `limit` records or is long enough in bytes. A page with more is never empty. */
export async function loadPage<R, V>({ limit, maxBytes = MAX_PAGE_BYTES, load, complete, present }: PageSource<R, V>): Promise<LoadedPage<R, V>> {
  const page = { rows: [] as R[], views: [] as V[], texts: [] as string[] };
  let bytes = 0;
  for (;;) {
    const wanted = Math.min(BATCH_SIZE, limit - page.rows.length);
    const loaded = await load(page.rows.at(-1) ?? null, wanted + 1);
    const rows = loaded.slice(0, wanted);
    for (const [index, view] of (await complete(rows)).entries()) {
      const text = view === undefined ? "" : JSON.stringify(present(view));
      bytes += Buffer.byteLength(text);
      if (bytes > maxBytes && page.views.length > 0) return { ...page, hasMore: true };
      page.rows.push(rows[index] as R);
      if (view === undefined) continue;
      page.views.push(view);
      page.texts.push(text);
    }
    if (loaded.length <= wanted || page.rows.length >= limit) return { ...page, hasMore: loaded.length > wanted };
    // Other requests get their turn between the batches of a long page.
    await setImmediate();
  }
}
