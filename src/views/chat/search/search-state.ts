/** Models the chat's search: its parameters in the URL (`?search=bass&by=3&from=2026-03-01&to=2026-03-31&has=link`), and its form fields. */
import { withoutLinkedComment } from "../../../components/file-link.ts";
import { endOfDay, startOfDay } from "../../../lib/days.ts";
import { createUrlForms, type UrlForm } from "../../../lib/url-form.ts";
import type { MessageSearchQuery } from "../../../queries/messages/use-message-search.ts";

export interface SearchState {
  q: string;
  by: number | null;
  /** Days, "" for none; `to` is inclusive. */
  from: string;
  to: string;
  has: "link" | "file" | null;
}

export const EMPTY_SEARCH: SearchState = { q: "", by: null, from: "", to: "", has: null };

/** Returns null if the search is closed; ignores invalid parameters. */
export function parseSearch(params: URLSearchParams): SearchState | null {
  const q = params.get("search");
  if (q === null) return null;
  const [by, has] = [params.get("by") ?? "", params.get("has")];
  const readDay = (name: string) => (startOfDay(params.get(name) ?? "") ? (params.get(name) ?? "") : "");
  return {
    q: [...q].slice(0, 200).join(""),
    by: /^[1-9]\d{0,14}$/.test(by) ? Number(by) : null,
    from: readDay("from"),
    to: readDay("to"),
    has: has === "link" || has === "file" ? has : null,
  };
}

const PARAMS = ["search", "by", "from", "to", "has"];

/** Returns the search params with another search, or without one; the file beside the chat stays. */
export function withSearch(current: URLSearchParams, searchState: SearchState | null): URLSearchParams {
  const next = new URLSearchParams(searchState ? formatSearch(searchState) : "");
  for (const [name, value] of withoutLinkedComment(current)) if (!PARAMS.includes(name)) next.append(name, value);
  return next;
}

export function formatSearch({ q, by, from, to, has }: SearchState): string {
  const params = new URLSearchParams({ search: q });
  if (by !== null) params.set("by", String(by));
  if (from) params.set("from", from);
  if (to) params.set("to", to);
  if (has) params.set("has", has);
  return params.toString();
}

export const isFiltered = ({ by, from, to, has }: SearchState): boolean => by !== null || from !== "" || to !== "" || has !== null;

/** Converts the search to the service's query; days become timestamps in the reader's time zone. */
export function toSearchQuery({ q, by, from, to, has }: SearchState): MessageSearchQuery {
  const [since, until] = [startOfDay(from), endOfDay(to)];
  return {
    ...(q.trim() === "" ? {} : { q }),
    ...(by === null ? {} : { account_id: by }),
    ...(since ? { since: since.toISOString() } : {}),
    ...(until ? { until: until.toISOString() } : {}),
    ...(has ? { has } : {}),
  };
}

/** The search as it will appear in the URL. */
const searchKey = (searchState: SearchState) => formatSearch(parseSearch(new URLSearchParams(formatSearch(searchState))) ?? searchState);

/** State of the search form. */
export type SearchFormState = UrlForm<SearchState>;
export const { create: createFormState, syncWithUrl, submit: submitFields, isSubmitted } = createUrlForms(searchKey);
