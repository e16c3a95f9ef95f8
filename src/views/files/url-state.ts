/** Parses and formats the URL of the files view: `/projects/1/files/5?q=mix&bpm=118-130&sort=size`, without a folder for Recent. Invalid values are ignored. */
import { FILE_SORTS, type FileSort } from "../../../contract/file-order.ts";
import { ENTRY_KINDS, type FileEntry } from "../../../contract/file-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { MetadataCondition } from "../../../contract/metadata-filter.ts";
import { isDay } from "../../lib/days.ts";
import { defaultSortOrder, type Filter, NO_FILTER, type Sorting, type SortOrder } from "../../queries/file-lists/list-query.ts";

export interface UrlState extends Filter, Sorting {}

export const DEFAULT_URL_STATE: UrlState = { ...NO_FILTER, sort: "name", sortField: null, order: "asc" };

/** The order without a `sort` in the URL: by name in folders, newest first in Recent. */
export type DefaultSort = "name" | "changed";

/** `sort=field-12` sorts by a metadata field. */
const FIELD_PREFIX = "field-";

/** Longer values are truncated, because the service accepts no more. */
const MAX_SEARCH_LENGTH = 200;
const MAX_VALUE_LENGTH = 100;
const MAX_BPM = 999;

/** The values that clear each filter, in display order. */
const CLEARED_FIELDS = {
  kind: { kind: null },
  status: { status: [] },
  bpm: { bpmMin: null, bpmMax: null },
  key: { key: null },
  tag: { tag: null },
  uploader: { uploader: null },
  date: { from: null, to: null },
} as const satisfies Record<string, Partial<UrlState>>;
export type ChipName = keyof typeof CLEARED_FIELDS | `field-${number}`;
export interface Chip {
  name: ChipName;
  without(current: UrlState): UrlState;
}

const parseId = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);
const parseOption = <T extends string>(options: readonly T[], text: string | null): T | null => options.find((option) => option === text) ?? null;
const parseText = (text: string | null): string | null => (text === null || text.trim() === "" ? null : truncate(text, MAX_VALUE_LENGTH));
/** Returns the day, or null if the text is not a calendar day such as "2026-03-02". */
export const parseDay = (text: string | null): string | null => (text !== null && isDay(text) ? text : null);
/** Truncates by code points, so that no character is cut in half. */
const truncate = (text: string, maxLength: number): string => [...text.trim()].slice(0, maxLength).join("").trim();
/** Returns the tempo, or null if the text is not a tempo with at most one decimal. */
export const parseBpm = (text: string | undefined): number | null => {
  if (text === undefined || !/^\d{1,3}(\.\d)?$/.test(text)) return null;
  const bpm = Number(text);
  return bpm > 0 && bpm <= MAX_BPM ? bpm : null;
};

/** A condition in the URL: `contains:warm`, `is:` with the id of an option, `id:` with that of a person, `range:100..120`, `empty` or `not_empty`. */
function formatCondition({ op, value, min, max }: MetadataCondition): string {
  if (op === "range") return `range:${min ?? ""}..${max ?? ""}`;
  if (op === "empty" || op === "not_empty") return op;
  return typeof value === "number" ? `id:${value}` : `${op}:${String(value)}`;
}

const parseBound = (text: string): string | number | undefined => (text === "" ? undefined : /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

function parseCondition(field_id: number, text: string): MetadataCondition | null {
  if (text === "empty" || text === "not_empty") return { field_id, op: text };
  const [op = "", rest = ""] = text.split(/:(.*)/s);
  const value = truncate(rest, MAX_VALUE_LENGTH);
  if (value === "") return null;
  if (op === "is" || op === "contains") return { field_id, op, value };
  const id = op === "id" ? parseId(value) : null;
  if (id !== null) return { field_id, op: "is", value: id };
  const [, low = "", high = ""] = (op === "range" && /^([\d.-]*?)\.\.([\d.-]*)$/.exec(value)) || [];
  const [min, max] = [parseBound(low), parseBound(high)];
  if (min === undefined && max === undefined) return null;
  return { field_id, op: "range", ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

const parseConditions = (search: URLSearchParams): MetadataCondition[] =>
  [...search]
    .flatMap(([name, text]): MetadataCondition[] => {
      const id = name.startsWith(FIELD_PREFIX) ? parseId(name.slice(FIELD_PREFIX.length)) : null;
      const condition = id === null ? null : parseCondition(id, text);
      return condition ? [condition] : [];
    })
    .filter(({ field_id }, index, all) => all.findIndex((other) => other.field_id === field_id) === index)
    .slice(0, LIMITS.metadata_conditions);

/** Returns the state that a URL describes. */
export function parseUrlState(search: URLSearchParams, defaultSort: DefaultSort = "name"): UrlState {
  const [, low, high] = /^([\d.]*)-([\d.]*)$/.exec(search.get("bpm") ?? "") ?? [];
  const status = (search.get("status") ?? "").split(",").flatMap((value): (number | "none")[] => {
    const id = parseId(value);
    return value === "none" ? [value] : id === null ? [] : [id];
  });
  const sortParam = search.get("sort");
  const sortField = sortParam?.startsWith(FIELD_PREFIX) ? parseId(sortParam.slice(FIELD_PREFIX.length)) : null;
  const sort = sortField === null ? (parseOption(FILE_SORTS, sortParam) ?? defaultSort) : DEFAULT_URL_STATE.sort;
  return {
    q: truncate(search.get("q") ?? "", MAX_SEARCH_LENGTH),
    kind: parseOption(ENTRY_KINDS, search.get("kind")),
    status: [...new Set(status)],
    bpmMin: parseBpm(low),
    bpmMax: parseBpm(high),
    key: parseText(search.get("key")),
    tag: parseText(search.get("tag")),
    uploader: parseId(search.get("uploader")),
    from: parseDay(search.get("from")),
    to: parseDay(search.get("to")),
    metadata: parseConditions(search),
    sort,
    sortField,
    order: parseOption(["asc", "desc"] as const, search.get("order")) ?? defaultSortOrder(sort),
  };
}

/** The same for a service without metadata, which neither sorts nor filters by it. */
export function parseWithoutMetadata(search: URLSearchParams, defaultSort: DefaultSort = "name"): UrlState {
  const urlState = parseUrlState(search, defaultSort);
  return { ...urlState, metadata: [], ...(urlState.sortField === null ? {} : { sortField: null, sort: defaultSort, order: defaultSortOrder(defaultSort) }) };
}

/** The same for Recent, which has no folders. */
const withoutFolders = (urlState: UrlState): UrlState => (urlState.kind === "folder" ? { ...urlState, kind: null } : urlState);

/** How folders and Recent read and write their URLs. The functions are stable. */
const createFormats = (parse: typeof parseUrlState) => ({
  folder: { parse: (search: URLSearchParams) => parse(search), format: (urlState: UrlState) => formatUrlState(urlState) },
  recent: {
    parse: (search: URLSearchParams) => withoutFolders(parse(search, "changed")),
    format: (urlState: UrlState) => formatUrlState(urlState, "changed"),
  },
});
export const URL_FORMATS = createFormats(parseUrlState);
export const URL_FORMATS_WITHOUT_METADATA = createFormats(parseWithoutMetadata);

/** Returns the shortest query string for the state. */
export function formatUrlState(urlState: UrlState, defaultSort: DefaultSort = "name"): string {
  const search = new URLSearchParams();
  const setParam = (name: string, value: string | number | null) => value !== null && value !== "" && search.set(name, String(value));
  setParam("q", urlState.q);
  setParam("kind", urlState.kind);
  setParam("status", urlState.status.join(","));
  if (urlState.bpmMin !== null || urlState.bpmMax !== null) setParam("bpm", `${urlState.bpmMin ?? ""}-${urlState.bpmMax ?? ""}`);
  setParam("key", urlState.key);
  setParam("tag", urlState.tag);
  setParam("uploader", urlState.uploader);
  setParam("from", urlState.from);
  setParam("to", urlState.to);
  for (const condition of urlState.metadata) setParam(`${FIELD_PREFIX}${condition.field_id}`, formatCondition(condition));
  if (urlState.sortField !== null) setParam("sort", `${FIELD_PREFIX}${urlState.sortField}`);
  else if (urlState.sort !== defaultSort) setParam("sort", urlState.sort);
  if (urlState.order !== defaultSortOrder(urlState.sort)) setParam("order", urlState.order);
  // Commas and colons stay unescaped for readability, which a URL allows.
  const text = search.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text === "" ? "" : `?${text}`;
}

/** The last part of the root folder's path. */
const ROOT_PARAM = "folders";

/** Returns the path of a folder, or of the project's root for null. */
export const folderPath = (projectId: number, folderId: number | null): string => `${recentPath(projectId)}/${folderId ?? ROOT_PARAM}`;

/** Returns the path of the files of all folders, newest first. */
export const recentPath = (projectId: number): string => `/projects/${projectId}/files`;

/** The page of a project's deleted files. */
export const deletedFilesPath = (projectId: number): string => `/projects/${projectId}/files/deleted`;

/** Returns the link to a folder in this view or to the page of a file. */
export const entryLink = (entry: FileEntry, urlState: UrlState) =>
  entry.is_folder ? { to: folderPath(entry.project_id, entry.id) + formatSortState(urlState) } : { to: `/files/${entry.id}` };

/** Returns the folder id in the URL: null for the root, undefined if the id is invalid. */
export const parseFolderId = (param: string): number | null | undefined => (param === ROOT_PARAM ? null : (parseId(param) ?? undefined));

/** Returns the state after a click on a column header: the default order first, then the reverse. */
export const toggleSort = (urlState: UrlState, sort: FileSort): UrlState => ({
  ...urlState,
  sort,
  sortField: null,
  order: urlState.sort === sort && urlState.sortField === null ? oppositeOf(urlState.order) : defaultSortOrder(sort),
});

/** The same for the column of a metadata field, in ascending order first. */
export const toggleFieldSort = (urlState: UrlState, sortField: number): UrlState => ({
  ...urlState,
  sort: DEFAULT_URL_STATE.sort,
  sortField,
  order: urlState.sortField === sortField ? oppositeOf(urlState.order) : "asc",
});

const oppositeOf = (order: SortOrder): SortOrder => (order === "asc" ? "desc" : "asc");

/** Removes all filters and keeps the sort order. */
export const withoutFilter = (urlState: UrlState): UrlState => ({ ...NO_FILTER, sort: urlState.sort, sortField: urlState.sortField, order: urlState.order });

/** Removes all filters that have chips and keeps the search and the sort order. */
export const withoutChips = (urlState: UrlState): UrlState => ({ ...withoutFilter(urlState), q: urlState.q });

/** Returns the query string to keep in another folder: the sort order, unless it is the default. */
export const formatSortState = (urlState: UrlState): string => formatUrlState(withoutFilter(urlState));

/** Adds a status to the filter, or removes it if it is already there. */
export const toggleStatus = (urlState: UrlState, status: number | "none"): UrlState => ({
  ...urlState,
  status: urlState.status.includes(status) ? urlState.status.filter((current) => current !== status) : [...urlState.status, status],
});

/** Replaces the condition on a field; null removes it. */
export const withCondition = (urlState: UrlState, fieldId: number, condition: Omit<MetadataCondition, "field_id"> | null): UrlState => ({
  ...urlState,
  metadata: [...urlState.metadata.filter(({ field_id }) => field_id !== fieldId), ...(condition ? [{ field_id: fieldId, ...condition }] : [])],
});

/** Lists the active filters that can be removed one by one, in display order. The search is not among them, because it has its own field. */
export function getChips(urlState: UrlState): Chip[] {
  const fieldChips = urlState.metadata.map(({ field_id }): Chip => ({
    name: `field-${field_id}`,
    without: (current) => withCondition(current, field_id, null),
  }));
  const chips = (Object.keys(CLEARED_FIELDS) as (keyof typeof CLEARED_FIELDS)[])
    .filter((name) =>
      Object.entries(CLEARED_FIELDS[name]).some(([member, clearedValue]) => String(urlState[member as keyof UrlState] ?? "") !== String(clearedValue ?? "")),
    )
    .map((name): Chip => ({ name, without: (current) => ({ ...current, ...CLEARED_FIELDS[name] }) }));
  return [...chips, ...fieldChips];
}
