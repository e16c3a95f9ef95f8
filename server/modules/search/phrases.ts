/** Compares texts with the phrases of a query, its words in quotes. The indexes have no positions, so that they only find texts with all of the words. */
import { foldText, spellOutSharps } from "../../../contract/search-tokens.ts";
import type { Db } from "../../db/schema.ts";
import { loadIndexedTexts } from "../../db/search-documents.ts";
import type { IndexedKind } from "../../db/search-index.ts";

/** Records whose text is compared with a phrase in one request, and in one statement. */
export const MAX_COMPARED = 2_000;
const COMPARED_AT_A_TIME = 100;
const PHRASE = /["\u201C\u201D\u201E]([^"\u201C\u201D\u201E]+)(?:["\u201C\u201D\u201E]|$)/g;

/** A phrase begins with a word; its last word may be the beginning of one. Scripts without spaces have no beginnings of words. */
export function parsePhrases(query: string): string[] {
  return [...query.matchAll(PHRASE)].flatMap(([, text = ""]) => {
    const folded = foldText(text);
    return folded === "" ? [] : [/[^\u0000-\u0DFF]/.test(folded) ? folded : ` ${folded}`];
  });
}

interface Page {
  before: number | null;
  limit: number;
}

/** Returns up to `limit` matches, newest first, that have all phrases of the query. `next` is the id before which others were not compared; null if there are none. */
export async function filterByPhrases<T extends { id: number }>(
  db: Db,
  kind: IndexedKind,
  query: string,
  { before, limit }: Page,
  find: (page: Page) => Promise<T[]>,
): Promise<{ matches: T[]; next: number | null }> {
  const phrases = parsePhrases(kind === "file" ? spellOutSharps(query) : query);
  if (phrases.length === 0) return { matches: await find({ before, limit }), next: null };
  const matches: T[] = [];
  let position = before;
  for (let compared = 0; compared < MAX_COMPARED; compared += COMPARED_AT_A_TIME) {
    const candidates = await find({ before: position, limit: COMPARED_AT_A_TIME });
    const ids = candidates.map(({ id }) => id);
    const texts = await loadTexts(db, kind, ids);
    matches.push(...candidates.filter(({ id }) => hasPhrases(texts.get(id) ?? [], phrases)));
    if (matches.length >= limit) return { matches: matches.slice(0, limit), next: matches[limit - 1]?.id ?? null };
    if (candidates.length < COMPARED_AT_A_TIME) return { matches, next: null };
    position = ids.at(-1) ?? null;
  }
  return { matches, next: position };
}

export function hasPhrases(texts: readonly string[], phrases: readonly string[]): boolean {
  const folded = texts.map((text) => ` ${foldText(text)}`);
  return phrases.every((phrase) => folded.some((text) => text.includes(phrase)));
}

/** Files are found by their status too. */
async function loadTexts(db: Db, kind: IndexedKind, ids: readonly number[]): Promise<Map<number, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const texts = await loadIndexedTexts(db, kind, ids);
  if (kind !== "file") return texts;
  const rows = await db
    .selectFrom("files")
    .innerJoin("file_statuses", "file_statuses.id", "files.status_id")
    .select(["files.id", "file_statuses.title"])
    .where("files.id", "in", ids)
    .execute();
  for (const { id, title } of rows) texts.set(id, [...(texts.get(id) ?? []), title]);
  return texts;
}
