/** Parses and formats the search in the URL: `?search=bass&by=3&from=2026-03-01&to=2026-03-31&has=link`. */
import type { MessageSearchQuery } from "../../../queries/message-search/use-message-search.ts";
import { startOfDay } from "./day-choice.ts";

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

export function formatSearch({ q, by, from, to, has }: SearchState): string {
  const params = new URLSearchParams({ search: q });
  if (by !== null) params.set("by", String(by));
  if (from) params.set("from", from);
  if (to) params.set("to", to);
  if (has) params.set("has", has);
  return params.toString();
}

export const isFiltered = ({ by, from, to, has }: SearchState): boolean => by !== null || from !== "" || to !== "" || has !== null;

/** Converts days to timestamps in the reader's time zone. */
export function toSearchQuery({ q, by, from, to, has }: SearchState): MessageSearchQuery {
  const [since, lastDay] = [startOfDay(from), startOfDay(to)];
  const until = lastDay && new Date(lastDay.getFullYear(), lastDay.getMonth(), lastDay.getDate() + 1);
  return {
    ...(q.trim() === "" ? {} : { q }),
    ...(by === null ? {} : { account_id: by }),
    ...(since ? { since: since.toISOString() } : {}),
    ...(until ? { until: until.toISOString() } : {}),
    ...(has ? { has } : {}),
  };
}
