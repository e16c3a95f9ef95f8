/** Finds pages in an earlier version of a document, which the index does not have: their texts are compared one after another. */
import { parseSearchTerms, type SearchTerm, tokenizeForIndex } from "../../../contract/search-tokens.ts";
import type { Db } from "../../db/schema.ts";
import { hasPhrases, MAX_COMPARED, parsePhrases } from "./phrases.ts";

const PAGES_AT_A_TIME = 50;

interface VersionQuery {
  versionId: number;
  query: string;
  before: number | null;
  limit: number;
}

/** Returns pages with all words and phrases, first pages first, and the id before which the next ones begin. There may be fewer than `limit`, where many pages do not match. */
export async function searchVersion(db: Db, { versionId, query, before, limit }: VersionQuery): Promise<{ ids: number[]; next: number | null }> {
  const terms = parseSearchTerms(query);
  const phrases = parsePhrases(query);
  if (terms.length === 0) return { ids: [], next: null };
  const ids: number[] = [];
  let position = before;
  for (let compared = 0; compared < MAX_COMPARED; compared += PAGES_AT_A_TIME) {
    // A later page has a lower id.
    const pages = db.selectFrom("document_pages").select(["id", "text"]).where("version_id", "=", versionId).orderBy("id", "desc").limit(PAGES_AT_A_TIME);
    const rows = await (position === null ? pages : pages.where("id", "<", position)).execute();
    for (const { id, text } of rows) if (hasTerms(text, terms) && hasPhrases([text], phrases)) ids.push(id);
    if (ids.length > limit) return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null };
    if (rows.length < PAGES_AT_A_TIME) return { ids, next: null };
    position = rows.at(-1)?.id ?? null;
  }
  return { ids, next: position };
}

/** A word that is hyphenated at the end of a line matches in one piece and in two, as in the index. */
function hasTerms(text: string, terms: readonly SearchTerm[]): boolean {
  const tokens = new Set(tokenizeForIndex(`${text.replaceAll("\u00AD", "")}\n${text}`));
  return terms.every(({ token, isPrefix }) => tokens.has(token) || (isPrefix && [...tokens].some((word) => word.startsWith(token))));
}
