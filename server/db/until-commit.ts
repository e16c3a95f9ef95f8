/**
 * Remembers results of reads until the next commit. SQLite tells with one number whether anybody, in this process or another, has committed since
 * (https://sqlite.org/pragma.html#pragma_data_version); PostgreSQL has no such number that costs less than the read itself, so there nothing is remembered.
 */
import type { Db } from "./schema.ts";

/** Beyond this number of results all are forgotten. */
const MAX_RESULTS = 5_000;

interface Memory {
  /** Returns another number after each commit. */
  version(): number;
  seenVersion: number;
  /** True until whatever runs now gives others the turn: until then nobody can know of a commit in another thread or process. */
  isChecked: boolean;
  results: Map<string, Promise<unknown>>;
}
const memories = new WeakMap<Db, Memory>();

/** Makes `untilNextCommit` remember what this connection reads. Returns a function to call after each commit of this thread. */
export function rememberReadsOf(db: Db, version: () => number): () => void {
  const memory: Memory = { version, seenVersion: version(), isChecked: false, results: new Map() };
  memories.set(db, memory);
  return () => {
    memory.isChecked = false;
  };
}

function forgetOutdated(memory: Memory): void {
  if (memory.isChecked) return;
  const version = memory.version();
  memory.isChecked = true;
  process.nextTick(() => {
    memory.isChecked = false;
  });
  if (version === memory.seenVersion && memory.results.size < MAX_RESULTS) return;
  memory.results.clear();
  memory.seenVersion = version;
}

/** Whoever tries to change what others get too fails. */
function freeze<T>(result: T): T {
  if (Array.isArray(result)) for (const row of result) Object.freeze(row);
  return Object.freeze(result);
}

/**
 * Returns the result of the last `load` with this key, unless somebody has committed since it began. `load` must depend on nothing but the database and the
 * key, and its rows cannot be changed, because others get them too. Within a transaction and on PostgreSQL it always loads.
 */
export function untilNextCommit<T>(db: Db, key: string, load: () => Promise<T>): Promise<T> {
  const memory = memories.get(db);
  if (!memory) return load();
  forgetOutdated(memory);
  const { results } = memory;
  const known = results.get(key) as Promise<T> | undefined;
  if (known) return known;
  const result = load().then(freeze);
  results.set(key, result);
  result.catch(() => results.get(key) === result && results.delete(key));
  return result;
}
