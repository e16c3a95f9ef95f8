/** Turns a search into the terms and filters of the index. */
import { parseSearchTerms, spellOutSharps, tokenizeForIndex, type SearchTerm } from "../../../contract/search-tokens.ts";
import type { Actor } from "../../access/access.ts";
import type { Db, Row } from "../../db/schema.ts";
import { FILTER_TOKEN, type QueryTerm } from "../../db/search-index.ts";

type Status = Pick<Row<"file_statuses">, "id" | "title" | "deleted_at" | "replaced_by">;

/** Up to so many projects the index itself narrows a search to them; with more, FTS5 takes longer for that than for skipping records. */
export const MAX_PROJECT_TOKENS = 32;
/** The same where records cannot be skipped. */
const MAX_TOKENS_INSTEAD = 100;

/** Returns the alternatives by project that the index has to match; null for none. */
export const projectFilter = (projectIds: readonly number[], isSkipping: boolean): string[] | null =>
  projectIds.length <= (isSkipping ? MAX_PROJECT_TOKENS : MAX_TOKENS_INSTEAD) ? projectIds.map(FILTER_TOKEN.project) : null;

/** Returns the terms for names, titles and texts. */
export const parseTerms = parseSearchTerms;

/** Returns the terms for files: a term also matches the files whose status is called so. */
export async function parseFileTerms(db: Db, actor: Actor, q: string): Promise<QueryTerm[]> {
  const statuses = await db
    .selectFrom("file_statuses")
    .innerJoin("teams", "teams.id", "file_statuses.team_id")
    .select(["file_statuses.id", "file_statuses.title", "file_statuses.deleted_at", "file_statuses.replaced_by"])
    .where("teams.organisation_id", "=", actor.organisationId)
    .execute();
  return parseSearchTerms(spellOutSharps(q)).map((term) => ({ ...term, orFilters: findStatuses(statuses, term).map(FILTER_TOKEN.status) }));
}

/**
 * Returns the ids of the statuses whose title has the term. A file keeps the index entry of a status that was deleted, so a deleted status has the title of the
 * one that replaced it.
 */
export function findStatuses(statuses: readonly Status[], { token, isPrefix }: SearchTerm): number[] {
  const byId = new Map(statuses.map((status) => [status.id, status]));
  const matches = ({ title }: Status) => tokenizeForIndex(title).some((word) => (isPrefix ? word.startsWith(token) : word === token));
  return statuses.filter((status) => matches(findSuccessor(status, byId))).map(({ id }) => id);
}

function findSuccessor(status: Status, byId: ReadonlyMap<number, Status>): Status {
  let current = status;
  // A status is replaced by one that existed then, so that there is no circle.
  for (let next = byId.get(current.replaced_by ?? 0); current.deleted_at !== null && next; next = byId.get(current.replaced_by ?? 0)) current = next;
  return current;
}
