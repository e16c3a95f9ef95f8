/** Steps over long lists: in groups, several at a time, with lines about the progress. */
import { formatCount } from "../../../contract/text.ts";

/** Collects what a list yields into arrays of this length; the last one may be shorter. */
export async function* inGroups<T>(source: AsyncIterable<T>, length: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const each of source) {
    group.push(each);
    if (group.length < length) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Calls `work` for each item, for `atOnce` of them at a time. After an error no further ones begin, and it is thrown once the others have ended. */
export async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const errors: unknown[] = [];
  async function runNext(): Promise<void> {
    for (const item of rest) {
      if (errors.length > 0) return;
      await work(item).catch((error: unknown) => errors.push(error));
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runNext));
  if (errors.length > 0) throw errors[0];
}

const REPORT_EVERY_MS = 5_000;

/** Counts files, or rows, and prints a line about them every few seconds. */
export function createCounter(verb: string, unit: "files" | "rows", progress: (line: string) => void) {
  const totals = { count: 0, bytes: 0 };
  let reportedAt = performance.now();
  const describe = (): string => `${verb} ${formatCount(totals.count)} ${unit}${unit === "files" ? `, ${formatBytes(totals.bytes)}` : ""}`;
  return {
    totals,
    describe,
    add(count: number, bytes = 0): void {
      totals.count += count;
      totals.bytes += bytes;
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      progress(`${describe()} …`);
    },
  };
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  const unit = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${unit === 0 ? formatCount(bytes) : (bytes / 1_000 ** unit).toFixed(1)} ${UNITS[unit]}`;
}
