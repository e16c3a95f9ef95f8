/** Searches everything that a person sees, in the indexes of all kinds. Visibility is part of each statement. */
import { sql } from "kysely";
import { SEARCH_KINDS, type SearchGroup, type SearchKind } from "../../../contract/search-records.ts";
import { type Actor, assertCan, assertCanRead, can, loadAuthorizedProject, visibleProjects } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { FILTER_TOKEN, findMatches, type QueryTerm, type SearchQuery } from "../../db/search-index.ts";
import { encodeCursor } from "../../http/paging.ts";
import { invalid } from "../../lib/errors.ts";
import { timeSpanFilters } from "../conversation/message-search.ts";
import { createDocumentSearch } from "./document-search.ts";
import { KINDS } from "./kinds.ts";
import { MAX_PROJECT_TOKENS, parseFileTerms, parseTerms, projectFilter } from "./matching.ts";
import { isRanked, MAX_RANKED, type NamedMatch, type Placed, rankByName } from "./ranking.ts";
import { filterByPhrases } from "./phrases.ts";
import { createRecordProjects } from "./record-projects.ts";
import { loadResults } from "./results.ts";

export interface SearchInput {
  q: string;
  /** null: all that the caller can read. */
  kinds: readonly SearchKind[] | null;
  projectId: number | null;
  /** Results in this project come first. */
  nearProjectId: number | null;
  accountId: number | null;
  /** Epoch milliseconds: `since` is inclusive, `until` exclusive. */
  since: number | undefined;
  until: number | undefined;
  /** Returns only results after this position; null starts with the first. */
  before: number | null;
  limit: number;
}

interface KindSearch {
  kind: SearchKind;
  input: SearchInput;
  terms: readonly QueryTerm[];
  /** null: none. */
  timeFilters: readonly string[] | null;
}

/** The projects that a search looks in; "all" if nothing has to be left out. Every statement checks visibility besides. */
type Scope = readonly number[] | "all";

export function createSearch({ database, clock }: ModuleDeps) {
  const recordProjects = createRecordProjects({ database, clock });

  /** Returns the kinds that the caller may read. Throws a 403 if the request names one that the caller's token must not read. */
  function selectKinds(actor: Actor, { kinds, accountId }: SearchInput): SearchKind[] {
    for (const kind of kinds ?? []) assertCanRead(actor, KINDS[kind].scope, `finding results of the kind ${kind}`);
    return SEARCH_KINDS.filter((kind) => {
      const { rule, scope, hasPeople } = KINDS[kind];
      const isReadable = can(actor, rule) && (actor.scopes === null || actor.scopes.includes(scope));
      return isReadable && (kinds?.includes(kind) ?? true) && (hasPeople || accountId === null);
    });
  }

  /** Returns the projects that the caller sees, or "all" if there are no others. */
  async function loadScope(actor: Actor): Promise<Scope> {
    const visible = await visibleProjects(database.read, actor).select("projects.id").execute();
    if (visible.length <= MAX_PROJECT_TOKENS) return visible.map(({ id }) => id);
    const { count } = await database.read
      .selectFrom("projects")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return visible.length === count ? "all" : visible.map(({ id }) => id);
  }

  /** Returns the filters by time: null for none, an empty list if no record can match. */
  async function loadTimeFilters(actor: Actor, kind: SearchKind, { since, until, projectId }: SearchInput): Promise<string[] | null> {
    if (since === undefined && until === undefined) return null;
    // Messages may be imported with any date; the service itself dates everything else.
    if (kind !== "message") return timeSpanFilters(since, until, { since: 0, until: clock.now() + 1 });
    const projects = visibleProjects(database.read, actor).select("projects.id");
    // One lookup in the index by project and time for each end of each project.
    const { rows } = await sql<{ first: number | null; last: number | null }>`
      select min((select min(created_at) from messages where messages.project_id = visible.id)) as first,
        max((select max(created_at) from messages where messages.project_id = visible.id)) as last
      from (${projectId === null ? projects : projects.where("projects.id", "=", projectId)}) as visible`.execute(database.read);
    return timeSpanFilters(since, until, { since: rows[0]?.first ?? 0, until: (rows[0]?.last ?? -1) + 1 });
  }

  /** Returns what matches, newest first, with its name and project if the kind has names. */
  async function find(
    actor: Actor,
    { kind, input, terms, timeFilters }: KindSearch,
    scope: Scope,
    page: { before: number | null; limit: number },
    furtherFilters: SearchQuery["filters"] = [],
  ) {
    const { indexedAs, visible, time, name } = KINDS[kind];
    const { accountId, since, until } = input;
    const isInProject = indexedAs !== "account" && indexedAs !== "project";
    const canSkip = scope !== "all" && scope.length > MAX_PROJECT_TOKENS && isInProject;
    const skipped = canSkip ? await recordProjects.findIdsToSkip(indexedAs, scope) : null;
    const projects = scope === "all" ? null : projectFilter(scope, skipped !== null);
    const filters: SearchQuery["filters"] = [
      ...(kind === "person" ? [FILTER_TOKEN.organisation(actor.organisationId)] : projects === null ? [] : [projects]),
      ...(accountId === null ? [] : [FILTER_TOKEN.account(accountId)]),
      ...(timeFilters === null ? [] : [timeFilters]),
      ...furtherFilters,
    ];
    const read = database.backgroundRead;
    const where = sql<boolean>`${visible(read, actor, input.projectId)}
      ${since === undefined ? sql`` : sql`and ${sql.ref(time)} >= ${since}`} ${until === undefined ? sql`` : sql`and ${sql.ref(time)} < ${until}`}`;
    const columns = name === null ? sql`` : sql`, ${sql.ref(name)} as name, ${isInProject ? sql.ref("project_id") : sql`null`} as project_id`;
    const { matches } = await filterByPhrases(read, indexedAs, input.q, page, (part) =>
      findMatches<NamedMatch>(read, database.engine, indexedAs, { terms, filters }, { ...part, where, skipped }, columns),
    );
    return matches;
  }

  /** Finds one more than the limit, if there are further pages. */
  async function findPage(actor: Actor, search: KindSearch, scope: Scope): Promise<Placed[]> {
    const { kind, input } = search;
    // An empty list of alternatives matches nothing.
    if (search.timeFilters?.length === 0 || (kind !== "person" && scope !== "all" && scope.length === 0)) return [];
    const within = input.projectId === null ? scope : [input.projectId];
    if (KINDS[kind].name !== null && (input.before === null || isRanked(input.before))) {
      const isContinued = input.before !== null;
      // A list whose first page was ranked stays so while there come to be some more.
      const matches = await find(actor, search, within, { before: null, limit: isContinued ? 2 * MAX_RANKED : MAX_RANKED + 1 });
      if (isContinued || matches.length <= MAX_RANKED) {
        const ranked = rankByName(matches, input.q, input.nearProjectId).filter(({ position }) => input.before === null || position < input.before);
        return ranked.slice(0, input.nearProjectId === null ? input.limit + 1 : input.limit);
      }
    }
    return (await findNewest(actor, search, within)).map(({ id }) => ({ id, position: id }));
  }

  /** Finds one more than the limit, what is in the near project first. */
  async function findNewest(actor: Actor, search: KindSearch, scope: Scope): Promise<{ id: number }[]> {
    const { projectId, nearProjectId, limit, before } = search.input;
    if (nearProjectId === null || projectId !== null || search.kind === "person" || search.kind === "project")
      return find(actor, search, scope, { before, limit: limit + 1 });
    const near = await find(actor, search, [nearProjectId], { before, limit });
    if (near.length === limit) return near;
    // Those that are nearby are found a second time, at most as many as there are.
    const everywhere = await find(actor, search, scope, { before, limit: limit + near.length });
    return [...near, ...everywhere.filter(({ id }) => !near.some((one) => one.id === id))].slice(0, limit);
  }

  const anyInput: SearchInput = {
    q: "",
    kinds: null,
    projectId: null,
    nearProjectId: null,
    accountId: null,
    since: undefined,
    until: undefined,
    before: null,
    limit: 0,
  };
  const documents = createDocumentSearch(database, async (actor, { terms, filters }, projectIds, page) => {
    const scope = await loadScope(actor);
    const within = projectIds ?? scope;
    if (within !== "all" && within.length === 0) return [];
    const found = await find(actor, { kind: "document", input: anyInput, terms, timeFilters: null }, within, page, filters);
    return found.map(({ id }) => id);
  });

  return {
    documents,

    /** Returns the kinds that have results, each with the best names first, if it has names, and then newest first. Text without a letter or digit matches nothing. */
    async search(actor: Actor, input: SearchInput): Promise<SearchGroup[]> {
      assertCan(actor, "self", {}, "");
      if (input.before !== null && (input.kinds?.length !== 1 || input.nearProjectId !== null))
        throw invalid("cursor", "needs one kind and no near_project_id");
      for (const id of [input.projectId, input.nearProjectId]) if (id !== null) await loadAuthorizedProject(database.read, actor, "project.read", id);
      const kinds = selectKinds(actor, input);
      const terms = parseTerms(input.q);
      if (terms.length === 0 || kinds.length === 0) return [];
      const scope = await loadScope(actor);
      const groups: SearchGroup[] = [];
      for (const kind of kinds) {
        const kindTerms = kind === "file" ? await parseFileTerms(database.read, actor, input.q) : terms;
        const timeFilters = await loadTimeFilters(actor, kind, input);
        const placed = await findPage(actor, { kind, input, terms: kindTerms, timeFilters }, scope);
        const page = placed.slice(0, input.limit);
        const ids = page.map(({ id }) => id);
        const results = await loadResults(database.read, actor, kind, ids, input.q);
        if (results.length > 0) groups.push({ kind, results, next_cursor: encodeCursor(placed.length > input.limit ? (page.at(-1)?.position ?? null) : null) });
      }
      return groups;
    },
  };
}

export type Search = ReturnType<typeof createSearch>;
