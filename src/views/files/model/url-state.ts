/** What stands in the address of the files view: `/projects/1/files/5?q=mix&bpm=118-130&sort=size`. What it does not understand is no filter. */
import { FILE_SORTS, type FileSort } from "../../../../contract/file-order.ts";
import { ENTRY_KINDS } from "../../../../contract/file-records.ts";
import { isDay } from "../../../lib/days.ts";
import { NO_FILTER, usualOrder, type Filter, type Order } from "../../../queries/file-lists/wish.ts";

export interface Shown extends Filter {
  sort: FileSort;
  order: Order;
}

export const PLAIN: Shown = { ...NO_FILTER, sort: "name", order: "asc" };

/** Longer ones are cut: the service takes no more. */
const LONGEST_SEARCH = 200;
const LONGEST_WORD = 100;
const FASTEST_BPM = 999;

const idIn = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);
const oneOf = <T extends string>(all: readonly T[], text: string | null): T | null => all.find((one) => one === text) ?? null;
const wordIn = (text: string | null): string | null => (text === null || text.trim() === "" ? null : cut(text, LONGEST_WORD));
const dayIn = (text: string | null): string | null => (text !== null && isDay(text) ? text : null);
/** By characters: half of one is none. */
const cut = (text: string, most: number): string => [...text.trim()].slice(0, most).join("").trim();
const bpmIn = (text: string | undefined): number | null => {
  if (text === undefined || !/^\d{1,3}(\.\d)?$/.test(text)) return null;
  const bpm = Number(text);
  return bpm > 0 && bpm <= FASTEST_BPM ? bpm : null;
};

/** What an address shows. */
export function shownIn(search: URLSearchParams): Shown {
  const [, low, high] = /^([\d.]*)-([\d.]*)$/.exec(search.get("bpm") ?? "") ?? [];
  const status = (search.get("status") ?? "").split(",").flatMap((one): (number | "none")[] => {
    const id = idIn(one);
    return one === "none" ? [one] : id === null ? [] : [id];
  });
  const sort = oneOf(FILE_SORTS, search.get("sort")) ?? PLAIN.sort;
  return {
    q: cut(search.get("q") ?? "", LONGEST_SEARCH),
    kind: oneOf(ENTRY_KINDS, search.get("kind")),
    status: [...new Set(status)],
    bpmMin: bpmIn(low),
    bpmMax: bpmIn(high),
    key: wordIn(search.get("key")),
    tag: wordIn(search.get("tag")),
    uploader: idIn(search.get("uploader")),
    from: dayIn(search.get("from")),
    to: dayIn(search.get("to")),
    sort,
    order: oneOf(["asc", "desc"] as const, search.get("order")) ?? usualOrder(sort),
  };
}

/** The shortest address that shows this. */
export function searchOf(shown: Shown): string {
  const search = new URLSearchParams();
  const put = (name: string, value: string | number | null) => value !== null && value !== "" && search.set(name, String(value));
  put("q", shown.q);
  put("kind", shown.kind);
  put("status", shown.status.join(","));
  if (shown.bpmMin !== null || shown.bpmMax !== null) put("bpm", `${shown.bpmMin ?? ""}-${shown.bpmMax ?? ""}`);
  put("key", shown.key);
  put("tag", shown.tag);
  put("uploader", shown.uploader);
  put("from", shown.from);
  put("to", shown.to);
  if (shown.sort !== PLAIN.sort) put("sort", shown.sort);
  if (shown.order !== usualOrder(shown.sort)) put("order", shown.order);
  // Commas and colons read better as they are, and an address may have them.
  const text = search.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text === "" ? "" : `?${text}`;
}

/** Where a folder is seen; null: the project's root. */
export const folderPath = (projectId: number, folderId: number | null): string =>
  folderId === null ? `/projects/${projectId}/files` : `/projects/${projectId}/files/${folderId}`;

/** The folder that an address names: null for the root, undefined where it names nothing that can be one. */
export const folderIn = (param: string | undefined): number | null | undefined => (param === undefined ? null : (idIn(param) ?? undefined));

/** The order after a press on a column's head: the usual one first, then the other. */
export const sortedBy = (shown: Shown, sort: FileSort): Shown => ({
  ...shown,
  sort,
  order: shown.sort === sort ? (shown.order === "asc" ? "desc" : "asc") : usualOrder(sort),
});

/** Everything but what is looked for; the order stays. */
export const withoutFilter = (shown: Shown): Shown => ({ ...NO_FILTER, sort: shown.sort, order: shown.order });

/** What goes along to another folder: the order, as far as it is not the usual one. */
export const alongWith = (shown: Shown): string => searchOf(withoutFilter(shown));

/** With a status more to look for, or without it where it was looked for. */
export const withStatus = (shown: Shown, one: number | "none"): Shown => ({
  ...shown,
  status: shown.status.includes(one) ? shown.status.filter((other) => other !== one) : [...shown.status, one],
});
