/** The service's order of a listing, from the records themselves: see `contract/file-order.ts`. */
import { byKey, nameOrderKey, type FileSort } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Order } from "./wish.ts";

type Compare = (a: FileEntry, b: FileEntry) => number;

/** A name's key costs more than a comparison, and a long listing compares each name many times. */
const keys = new WeakMap<FileEntry, string>();
function nameKeyOf(entry: FileEntry): string {
  let key = keys.get(entry);
  if (key === undefined) keys.set(entry, (key = nameOrderKey(entry.name, entry.is_folder)));
  return key;
}

const byName: Compare = (a, b) => byKey(nameKeyOf(a), nameKeyOf(b));
const byId: Compare = (a, b) => a.id - b.id;
const moment = (time: string): number => Date.parse(time);
const positionOf = ({ status }: FileEntry): number => status?.position ?? -1;

const VALUES: Record<FileSort, Compare> = {
  name: byName,
  changed: (a, b) => moment(a.changed_at) - moment(b.changed_at),
  created: (a, b) => moment(a.created_at) - moment(b.created_at),
  size: (a, b) => a.size - b.size,
  duration: (a, b) => a.duration - b.duration,
  bpm: (a, b) => a.bpm - b.bpm,
  status: (a, b) => positionOf(a) - positionOf(b) || byName(a, b),
  kind: (a, b) => byKey(a.kind, b.kind) || byName(a, b),
};

/** Who has none of it, where an order puts those last. */
const HAS_NONE: Partial<Record<FileSort, (entry: FileEntry) => boolean>> = {
  size: ({ size }) => size === 0,
  duration: ({ duration }) => duration === 0,
  bpm: ({ bpm }) => bpm === 0,
  status: ({ status }) => status === null,
};

/** Folders stand first where names order, and what has none of what orders last; in both directions. */
export function compareBy(sort: FileSort, order: Order): Compare {
  const value = VALUES[sort];
  const hasNone = HAS_NONE[sort] ?? (() => false);
  const direction = order === "asc" ? 1 : -1;
  return (a, b) => {
    if (sort === "name" && a.is_folder !== b.is_folder) return a.is_folder ? -1 : 1;
    if (hasNone(a) !== hasNone(b)) return hasNone(a) ? 1 : -1;
    return direction * (value(a, b) || byId(a, b));
  };
}
