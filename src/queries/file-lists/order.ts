/** Sorts entries in the service's order; see `contract/file-order.ts`. */
import { compareKeys, nameOrderKey, type FileSort } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { SortOrder } from "./wish.ts";

type Compare = (a: FileEntry, b: FileEntry) => number;

/** Caches name keys, since computing one costs more than a comparison and sorting compares each name many times. */
const nameKeys = new WeakMap<FileEntry, string>();
function nameKeyOf(entry: FileEntry): string {
  let key = nameKeys.get(entry);
  if (key === undefined) nameKeys.set(entry, (key = nameOrderKey(entry.name, entry.is_folder)));
  return key;
}

const byName: Compare = (a, b) => compareKeys(nameKeyOf(a), nameKeyOf(b));
const byId: Compare = (a, b) => a.id - b.id;
const timestamp = (time: string): number => Date.parse(time);
const statusPosition = ({ status }: FileEntry): number => status?.position ?? -1;

const COMPARATORS: Record<FileSort, Compare> = {
  name: byName,
  changed: (a, b) => timestamp(a.changed_at) - timestamp(b.changed_at),
  created: (a, b) => timestamp(a.created_at) - timestamp(b.created_at),
  size: (a, b) => a.size - b.size,
  duration: (a, b) => a.duration - b.duration,
  bpm: (a, b) => a.bpm - b.bpm,
  status: (a, b) => statusPosition(a) - statusPosition(b) || byName(a, b),
  kind: (a, b) => compareKeys(a.kind, b.kind) || byName(a, b),
};

/** Detects entries without a value for a sort column that puts them last. */
const IS_MISSING: Partial<Record<FileSort, (entry: FileEntry) => boolean>> = {
  size: ({ size }) => size === 0,
  duration: ({ duration }) => duration === 0,
  bpm: ({ bpm }) => bpm === 0,
  status: ({ status }) => status === null,
};

/** Compares entries: folders come first when sorting by name, and entries without a value come last, in both directions. */
export function compareBy(sort: FileSort, order: SortOrder): Compare {
  const compareValues = COMPARATORS[sort];
  const isMissing = IS_MISSING[sort] ?? (() => false);
  const direction = order === "asc" ? 1 : -1;
  return (a, b) => {
    if (sort === "name" && a.is_folder !== b.is_folder) return a.is_folder ? -1 : 1;
    if (isMissing(a) !== isMissing(b)) return isMissing(a) ? 1 : -1;
    return direction * (compareValues(a, b) || byId(a, b));
  };
}
