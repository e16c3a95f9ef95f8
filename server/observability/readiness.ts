/**
 * Decides whether this process can do its work: its database responds and has the schema of this version, its storage has responded since the start, and
 * it is not stopping. A storage that fails later is only reported, because chat goes on without it, and all services have the same one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { MIGRATIONS } from "../db/migrate.ts";
import type { Storage } from "../storage/storage.ts";

/** One thing that must work. Returns a sentence about what does not, or null. A check that throws or takes too long has failed. */
interface Check {
  run(): Promise<string | null>;
  /** The sentence if it throws. It has no details, because strangers can read it; those go to the log. */
  failure: string;
  /** How long a good result counts, so that many monitors cost no more than one. */
  goodForMs: number;
}

export interface ReadinessOptions {
  database: Database;
  /** Undefined in a process that stores no files. */
  storage?: Storage | undefined;
  /** Receives the details of each failure. */
  warn(error: unknown, message: string): void;
  checkTimeoutMs?: number;
}

/** Sentences without details, because strangers can read them. */
export interface ReadinessState {
  /** What keeps the process from working; empty: nothing. */
  reasons: readonly string[];
  /** What does not work, although the process is of use. */
  warnings: readonly string[];
}

export interface Readiness {
  check(): Promise<ReadinessState>;
  /** Whether the storage responds; undefined in a process that stores no files. */
  isStorageUp(): Promise<boolean | undefined>;
  /** From now on the process is not ready, because it is about to stop. */
  drain(): void;
}

const CHECK_TIMEOUT_MS = 3_000;
const BAD_FOR_MS = 1_000;
const STOPPING: ReadinessState = { reasons: ["The service is stopping."], warnings: [] };

async function checkSchema(database: Database): Promise<string | null> {
  const rows = await database.read.selectFrom("migrations").select("name").execute();
  const applied = new Set(rows.map(({ name }) => name));
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  if ([...known].some((name) => !applied.has(name))) return "The database is not migrated yet.";
  return [...applied].some((name) => !known.has(name)) ? "A newer version of Talkback has migrated the database." : null;
}

export function createReadiness({ database, storage, warn, checkTimeoutMs = CHECK_TIMEOUT_MS }: ReadinessOptions): Readiness {
  let isDraining = false;

  function createRunner({ run, failure, goodForMs }: Check): () => Promise<string | null> {
    let last: { until: number; result: Promise<string | null> } | null = null;
    let hasFailed = false;
    async function runOnce(): Promise<string | null> {
      const timer = new AbortController();
      try {
        const timeout = sleep(checkTimeoutMs, null, { signal: timer.signal, ref: false }).then(() => {
          throw new Error(`No result within ${checkTimeoutMs} ms`);
        });
        const running = run();
        // The loser of the race may still fail.
        for (const promise of [timeout, running]) promise.catch(() => {});
        const reason = await Promise.race([running, timeout]);
        hasFailed = false;
        return reason;
      } catch (error) {
        if (!hasFailed) warn(error, `a check of this process failed: ${failure}`);
        hasFailed = true;
        return failure;
      } finally {
        timer.abort();
      }
    }
    return async () => {
      if (last && performance.now() < last.until) return last.result;
      const current = { until: Number.POSITIVE_INFINITY, result: runOnce() };
      last = current;
      const reason = await current.result;
      current.until = performance.now() + (reason === null ? goodForMs : BAD_FOR_MS);
      return reason;
    };
  }

  const checkDatabase = createRunner({ run: () => checkSchema(database), failure: "The database cannot be reached.", goodForMs: 1_000 });
  const probe = storage && createRunner({ run: () => storage.probe().then(() => null), failure: "Files cannot be stored.", goodForMs: 30_000 });
  let hasStorageResponded = false;
  let storageFailure: string | null = null;
  async function checkStorage(): Promise<void> {
    storageFailure = (await probe?.()) ?? null;
    hasStorageResponded ||= storageFailure === null;
  }

  return {
    async check() {
      if (isDraining) return STOPPING;
      const checking = checkStorage();
      // A store that hangs must not delay the answer until the load balancer gives up.
      if (!hasStorageResponded) await checking;
      const databaseFailure = await checkDatabase();
      if (isDraining) return STOPPING;
      const reasons = [databaseFailure, hasStorageResponded ? null : storageFailure];
      const warnings = [hasStorageResponded ? storageFailure : null];
      return { reasons: reasons.filter((one) => one !== null), warnings: warnings.filter((one) => one !== null) };
    },
    async isStorageUp() {
      if (!probe) return undefined;
      await checkStorage();
      return storageFailure === null;
    },
    drain() {
      isDraining = true;
    },
  };
}
