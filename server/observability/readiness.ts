/** Decides whether this process can do its work: its database responds and has the schema of this version, files can be stored, and it is not stopping. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { MIGRATIONS } from "../db/migrate.ts";
import { HttpError } from "../lib/errors.ts";
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

export interface Readiness {
  /** Returns what keeps the process from working, as sentences; empty: nothing. */
  check(): Promise<string[]>;
  /** From now on the process is not ready, because it is about to stop. */
  drain(): void;
}

const CHECK_TIMEOUT_MS = 3_000;
const BAD_FOR_MS = 1_000;

async function checkSchema(database: Database): Promise<string | null> {
  const rows = await database.read.selectFrom("migrations").select("name").execute();
  const applied = new Set(rows.map(({ name }) => name));
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  if ([...known].some((name) => !applied.has(name))) return "The database is not migrated yet.";
  return [...applied].some((name) => !known.has(name)) ? "A newer version of Talkback has migrated the database." : null;
}

/** Stores and removes a few bytes. A full disk is no failure here: everything but uploads goes on, and the metrics show the free space. */
async function checkStorage(storage: Storage): Promise<string | null> {
  const bytes = Buffer.from("ready?");
  const put = async function* () {
    yield bytes;
  };
  try {
    const { key } = await storage.put(put(), { maxBytes: bytes.length });
    await storage.remove(key);
  } catch (error) {
    if (!(error instanceof HttpError && error.status === 507)) throw error;
  }
  return null;
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
        if (!hasFailed) warn(error, `not ready: ${failure}`);
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

  const checks = [createRunner({ run: () => checkSchema(database), failure: "The database cannot be reached.", goodForMs: 1_000 })];
  if (storage) checks.push(createRunner({ run: () => checkStorage(storage), failure: "Files cannot be stored.", goodForMs: 30_000 }));

  return {
    async check() {
      if (isDraining) return ["The service is stopping."];
      const reasons = await Promise.all(checks.map((run) => run()));
      return isDraining ? ["The service is stopping."] : reasons.filter((reason) => reason !== null);
    },
    drain() {
      isDraining = true;
    },
  };
}
