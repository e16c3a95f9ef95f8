/** Models the search page by its URL: `/search?q=bass&kind=file&project=3&person=5&from=2026-03-01&to=2026-03-31`. */
import { SEARCH_KINDS, type SearchKind } from "../../../contract/search-records.ts";
import { endOfDay, startOfDay } from "../../lib/days.ts";
import { createUrlForms } from "../../lib/url-form.ts";
import type { SearchQuery } from "../../queries/search.ts";

export interface SearchParams {
  q: string;
  /** null: all kinds. */
  kind: SearchKind | null;
  projectId: number | null;
  personId: number | null;
  /** Days, "" for none; `to` is inclusive. */
  from: string;
  to: string;
}

const MAX_QUERY_CHARACTERS = 200;
const toId = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);
const toDay = (text: string | null): string => (text !== null && startOfDay(text) ? text : "");

/** Ignores parameters that are not valid. */
export const parseSearchParams = (params: URLSearchParams): SearchParams => ({
  q: [...(params.get("q") ?? "")].slice(0, MAX_QUERY_CHARACTERS).join(""),
  kind: SEARCH_KINDS.find((kind) => kind === params.get("kind")) ?? null,
  projectId: toId(params.get("project")),
  personId: toId(params.get("person")),
  from: toDay(params.get("from")),
  to: toDay(params.get("to")),
});

export function formatSearchParams({ q, kind, projectId, personId, from, to }: SearchParams): string {
  const params = new URLSearchParams();
  if (q !== "") params.set("q", q);
  if (kind !== null) params.set("kind", kind);
  if (projectId !== null) params.set("project", String(projectId));
  if (personId !== null) params.set("person", String(personId));
  if (from !== "") params.set("from", from);
  if (to !== "") params.set("to", to);
  return params.toString();
}

/** Returns the number of filters apart from the kind. */
export const countFilters = ({ projectId, personId, from, to }: SearchParams): number =>
  [projectId !== null, personId !== null, from !== "" || to !== ""].filter(Boolean).length;

export const withoutFilters = (params: SearchParams): SearchParams => ({ ...params, projectId: null, personId: null, from: "", to: "" });

/** Returns the query for the service, in which days are times in the reader's time zone; null without a text. */
export function toSearchQuery({ q, projectId, personId, from, to }: SearchParams): SearchQuery | null {
  const [since, until] = [startOfDay(from), endOfDay(to)];
  if (q.trim() === "") return null;
  return {
    q,
    ...(projectId === null ? {} : { project_id: projectId }),
    ...(personId === null ? {} : { account_id: personId }),
    ...(since ? { since: since.toISOString() } : {}),
    ...(until ? { until: until.toISOString() } : {}),
  };
}

export const searchForms = createUrlForms<SearchParams>((params) => formatSearchParams(parseSearchParams(new URLSearchParams(formatSearchParams(params)))));
