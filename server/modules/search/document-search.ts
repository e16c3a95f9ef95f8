/** Searches pages of documents: with phrases, in one file, or for the pages that say most about a question. */
import { parseSearchTerms, tokenizeForIndex } from "../../../contract/search-tokens.ts";
import type { Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { FILTER_TOKEN, type SearchQuery } from "../../db/search-index.ts";
import { filterByPhrases } from "./phrases.ts";
import { searchVersion } from "./version-search.ts";

/** Pages among which the best for a question are looked for: the newest that have one of its words. */
const MAX_CANDIDATES = 200;
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
  /** An earlier version of the file; null: the current one. */
  versionId: number | null;
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

  return {
    /** Returns a page of matches, and the id before which the next page begins. A page may have fewer than `limit`, where many pages lack the phrase. */
    async search(actor: Actor, { query, projectIds, fileId, versionId, before, limit }: DocumentQuery): Promise<{ ids: number[]; next: number | null }> {
      if (versionId !== null) return searchVersion(database.backgroundRead, { versionId, query, before, limit });
      const terms = parseSearchTerms(query);
      if (terms.length === 0) return { ids: [], next: null };
      const search = { terms, filters: ofFile(fileId) };
      const { matches, next } = await filterByPhrases(database.backgroundRead, "document", query, { before, limit: limit + 1 }, async (page) =>
        (await find(actor, search, projectIds, page)).map((id) => ({ id })),
      );
      const ids = matches.slice(0, limit).map(({ id }) => id);
      return { ids, next: matches.length > limit ? (ids.at(-1) ?? null) : next };
    },

    /** Returns the pages that have most of the words of a question, the rarest words counting most. */
    async findBest(actor: Actor, { query, projectIds, fileId, limit }: Omit<DocumentQuery, "before" | "versionId">): Promise<number[]> {
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
