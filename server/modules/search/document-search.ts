/** Searches pages of documents: with phrases, in one file, or for the pages that say most about a question. */
import { foldText, parseSearchTerms, tokenizeForIndex } from "../../../contract/search-tokens.ts";
import type { Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { FILTER_TOKEN, type SearchQuery } from "../../db/search-index.ts";

/** Pages whose text is compared with a phrase in one request, and in one statement. */
const MAX_COMPARED = 2_000;
const COMPARED_AT_A_TIME = 100;
/** Pages among which the best for a question are looked for: the newest that have one of its words. */
const MAX_CANDIDATES = 200;
const PHRASE = /["\u201C\u201D\u201E]([^"\u201C\u201D\u201E]+)(?:["\u201C\u201D\u201E]|$)/g;
/** Words of questions that say nothing about what is asked for. */
const QUESTION_WORDS = new Set(
  "what when where which who whom whose why how does did the and for are was were has have with from that this there our your about can could should would will".split(
    " ",
  ),
);

export interface DocumentQuery {
  query: string;
  /** null: all that the caller sees. */
  projectIds: readonly number[] | null;
  fileId: number | null;
  before: number | null;
  limit: number;
}
/** Finds the ids of pages that the actor sees, newest first. */
export type FindPages = (
  actor: Actor,
  query: SearchQuery,
  projectIds: readonly number[] | null,
  page: { before: number | null; limit: number },
) => Promise<number[]>;

export function createDocumentSearch(database: Database, find: FindPages) {
  const ofFile = (fileId: number | null): SearchQuery["filters"] => (fileId === null ? [] : [FILTER_TOKEN.document(fileId)]);

  async function filterByPhrases(ids: readonly number[], phrases: readonly string[]): Promise<number[]> {
    const texts = new Map(
      (await database.backgroundRead.selectFrom("document_pages").select(["id", "text"]).where("id", "in", ids).execute()).map((row) => [row.id, row.text]),
    );
    return ids.filter((id) => {
      const folded = ` ${foldText(texts.get(id) ?? "")}`;
      return phrases.every((phrase) => folded.includes(phrase));
    });
  }

  return {
    /** Returns a page of matches, and the id before which the next page begins. A page may have fewer than `limit`, where many pages lack the phrase. */
    async search(actor: Actor, { query, projectIds, fileId, before, limit }: DocumentQuery): Promise<{ ids: number[]; next: number | null }> {
      const terms = parseSearchTerms(query);
      if (terms.length === 0) return { ids: [], next: null };
      const search = { terms, filters: ofFile(fileId) };
      const phrases = parsePhrases(query);
      if (phrases.length === 0) {
        const found = await find(actor, search, projectIds, { before, limit: limit + 1 });
        return { ids: found.slice(0, limit), next: found.length > limit ? (found[limit - 1] ?? null) : null };
      }
      const ids: number[] = [];
      let position = before;
      for (let compared = 0; compared < MAX_COMPARED; compared += COMPARED_AT_A_TIME) {
        const candidates = await find(actor, search, projectIds, { before: position, limit: COMPARED_AT_A_TIME });
        if (candidates.length > 0) ids.push(...(await filterByPhrases(candidates, phrases)));
        if (ids.length > limit) return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null };
        if (candidates.length < COMPARED_AT_A_TIME) return { ids, next: null };
        position = candidates.at(-1) ?? null;
      }
      return { ids, next: position };
    },

    /** Returns the pages that have most of the words of a question, the rarest words counting most. */
    async findBest(actor: Actor, { query, projectIds, fileId, limit }: Omit<DocumentQuery, "before">): Promise<number[]> {
      const words = [...new Set(tokenizeForIndex(query))].filter((word) => word.length > 2 && !QUESTION_WORDS.has(word));
      if (words.length === 0) return [];
      const ids = await find(actor, { terms: [], filters: [words, ...ofFile(fileId)] }, projectIds, { before: null, limit: MAX_CANDIDATES });
      if (ids.length === 0) return [];
      const rows = await database.backgroundRead.selectFrom("document_pages").select(["id", "text"]).where("id", "in", ids).execute();
      const pages = rows.map(({ id, text }) => ({ id, tokens: new Set(tokenizeForIndex(text.replaceAll("\u00AD", ""))) }));
      const weights = new Map(words.map((word) => [word, Math.log(1 + pages.length / (1 + pages.filter(({ tokens }) => tokens.has(word)).length))]));
      const scoreOf = (tokens: ReadonlySet<string>) => words.reduce((sum, word) => sum + (tokens.has(word) ? weights.get(word)! : 0), 0);
      return pages
        .map(({ id, tokens }) => ({ id, score: scoreOf(tokens) }))
        .toSorted((a, b) => b.score - a.score || b.id - a.id)
        .slice(0, limit)
        .map(({ id }) => id);
    },
  };
}

/** A phrase begins with a word; its last word may be the beginning of one. Scripts without spaces have no beginnings of words. */
function parsePhrases(query: string): string[] {
  return [...query.matchAll(PHRASE)].flatMap(([, text = ""]) => {
    const folded = foldText(text);
    return folded === "" ? [] : [/[^\u0000-\u0DFF]/.test(folded) ? folded : ` ${folded}`];
  });
}

/** Loads pages with their files, in the order of the ids. */
export async function loadPages(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("document_pages")
    .innerJoin("files", "files.id", "document_pages.file_id")
    .innerJoin("file_versions", "file_versions.id", "document_pages.version_id")
    .innerJoin("projects", "projects.id", "document_pages.project_id")
    .innerJoin("accounts", "accounts.id", "document_pages.created_by")
    .leftJoin("document_texts", "document_texts.version_id", "document_pages.version_id")
    .selectAll("document_pages")
    .select([
      "files.name as file_name",
      "files.kind",
      "file_versions.number as version",
      "projects.name as project_name",
      "accounts.username",
      "document_texts.unit",
    ])
    .where("document_pages.id", "in", ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
