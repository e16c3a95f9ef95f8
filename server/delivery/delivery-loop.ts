/** Claims what is due from a source, attempts it, and records the results. Several loops can work on one database. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import type { Db, Tx } from "../db/schema.ts";
import { SECOND, type Clock } from "../lib/clock.ts";

const POLL_INTERVAL_MS = SECOND;
/** How long attempts in flight may continue after `stop`. */
const SHUTDOWN_GRACE_MS = 5 * SECOND;
/** How far the wall clock may fall behind the monotonic clock before it counts as set back. */
const CLOCK_TOLERANCE_MS = 5 * SECOND;
/** Pause before the next claim after one failed, for example because the database did not respond. */
const CLAIM_RETRY_MS = 2 * SECOND;

// SQLite calls block the event loop. `yieldToEventLoop` before each transaction lets responses
// that have already arrived be processed, so that one transaction records them together.

/** Where the deliveries are stored, and how they are sent. */
export interface DeliverySource<Claimed, Finished> {
  /** Identifies a claimed delivery, also in the log. */
  idOf(claimed: Claimed): number;
  hasCapacity(inFlight: readonly Claimed[]): boolean;
  /** Returns whether anything is due or a lease has expired, without taking the write lock. */
  hasDue(db: Db, now: number): Promise<boolean>;
  /** Claims due deliveries with a lease, and recovers those of dead processes. The transaction holds no other locks. */
  claim(tx: Tx, now: number, inFlight: readonly Claimed[]): Promise<Claimed[]>;
  /** Ends soon after `signal` aborts. A delivery whose attempt throws is claimed again when its lease expires. */
  attempt(claimed: Claimed, signal: AbortSignal): Promise<Finished>;
  /** Records results, except those whose lease another process has taken over. */
  record(tx: Tx, batch: readonly Finished[], now: number): Promise<void>;
  /** Corrects due times after the clock was set back. */
  resetDueTimes(tx: Tx, now: number): Promise<void>;
  close(): Promise<void>;
}

export interface DeliveryLoopOptions {
  database: Database;
  clock: Clock;
  warn(error: unknown, message: string): void;
  pollIntervalMs?: number | undefined;
}

export interface DeliveryEngine {
  /** Looks for due deliveries immediately. */
  wake(): void;
  /** Stops claiming, waits up to `graceMs` for attempts in flight, then aborts them, and records all results. */
  stop(graceMs?: number): Promise<void>;
}

/** `noun`: what is delivered, for the log. */
export function startDeliveryLoop<Claimed, Finished>(
  noun: string,
  source: DeliverySource<Claimed, Finished>,
  { database, clock, warn, pollIntervalMs = POLL_INTERVAL_MS }: DeliveryLoopOptions,
): DeliveryEngine {
  interface Result {
    id: number;
    finished: Finished;
  }
  const abortController = new AbortController();
  const inFlight = new Map<number, { claimed: Claimed; done: Promise<void> }>();
  let claimRun: Promise<void> | null = null;
  let pending: { batch: Result[]; done: Promise<void> } | null = null;
  let lastWrite: Promise<void> = Promise.resolve();
  let wakeRequested = false;
  let isClosed = false;
  /**
   * Wall clock minus monotonic clock; a drop means that the wall clock was set back. Starts at infinity, so that the
   * first check also covers a change from before the start.
   */
  let clockOffset = Number.POSITIVE_INFINITY;

  const claimedInFlight = (): Claimed[] => [...inFlight.values()].map(({ claimed }) => claimed);

  function startAttempt(claimed: Claimed): void {
    const id = source.idOf(claimed);
    const done = source
      .attempt(claimed, abortController.signal)
      .then((finished) => record({ id, finished }))
      .catch((error: unknown) => warn(error, `${noun} ${id} could not be sent; it is retried when its lease expires`))
      .finally(() => {
        inFlight.delete(id);
        wake();
      });
    inFlight.set(id, { claimed, done });
  }

  const write = (batch: readonly Result[]): Promise<void> =>
    database.write((tx) =>
      source.record(
        tx,
        batch.map(({ finished }) => finished),
        clock.now(),
      ),
    );

  /** Records the results one by one after a batch failed, so that one bad result does not block the others. */
  async function writeEach(batch: readonly Result[], batchError: unknown): Promise<void> {
    if (batch.length > 1)
      for (const result of batch) await write([result]).catch((error: unknown) => warn(error, `the result of ${noun} ${result.id} could not be recorded`));
    else warn(batchError, `the result of ${noun} ${batch[0]?.id} could not be recorded`);
  }

  /** Queues a result for the next batch, which holds everything that finishes while the previous one is written. Resolves once it is recorded. */
  function record(result: Result): Promise<void> {
    if (!pending) {
      const batch: Result[] = [];
      lastWrite = lastWrite.then(async () => {
        await yieldToEventLoop();
        pending = null;
        await write(batch).catch((error: unknown) => writeEach(batch, error));
      });
      pending = { batch, done: lastWrite };
    }
    pending.batch.push(result);
    return pending.done;
  }

  async function claimDue(): Promise<void> {
    const now = clock.now();
    const currentOffset = now - performance.now();
    if (currentOffset - clockOffset < -CLOCK_TOLERANCE_MS) await database.write((tx) => source.resetDueTimes(tx, now));
    clockOffset = currentOffset;
    for (;;) {
      wakeRequested = false;
      if (isClosed || !source.hasCapacity(claimedInFlight()) || !(await source.hasDue(database.read, clock.now()))) return;
      const claimed = await database.write((tx) => source.claim(tx, clock.now(), claimedInFlight()));
      for (const one of claimed) startAttempt(one);
      if (claimed.length === 0 && !wakeRequested) return;
    }
  }

  function wake(): void {
    if (isClosed) return;
    wakeRequested = true;
    claimRun ??= yieldToEventLoop()
      .then(claimDue)
      .catch((error: unknown) => {
        warn(error, `what is due could not be claimed (${noun})`);
        setTimeout(wake, CLAIM_RETRY_MS).unref();
      })
      .finally(() => {
        claimRun = null;
        if (wakeRequested) queueMicrotask(wake);
      });
  }

  const timer = setInterval(wake, pollIntervalMs).unref();
  wake();
  return {
    wake,
    async stop(graceMs = SHUTDOWN_GRACE_MS) {
      isClosed = true;
      clearInterval(timer);
      await claimRun;
      const allDone = Promise.all([...inFlight.values()].map(({ done }) => done));
      const abortTimer = setTimeout(() => abortController.abort(), graceMs);
      await allDone;
      clearTimeout(abortTimer);
      await source.close();
    },
  };
}
