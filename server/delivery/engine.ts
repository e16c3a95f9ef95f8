/** Claims due deliveries, sends them, and records the results. Several engines can work on one database. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { SECOND, type Clock } from "../lib/clock.ts";
import { claim, createRoundRobin, hasDueDeliveries, type ClaimedDelivery } from "./claim.ts";
import { resetDueTimes } from "./leases.ts";
import { recordResults, type FinishedAttempt, type DeliveryPublisher } from "./record-results.ts";
import { eventBody } from "./request.ts";
import type { Sender } from "./send.ts";

/** Maximum attempts in flight in this process. */
const MAX_IN_FLIGHT = 256;
/** The share of `MAX_IN_FLIGHT` for failing endpoints, so that healthy endpoints find capacity however many failing ones hang. */
const MAX_FAILING_IN_FLIGHT = 128;
const POLL_INTERVAL_MS = SECOND;
/** Additional attempts in flight for manual deliveries, whose result a person waits for. */
const MAX_MANUAL_IN_FLIGHT = 16;
/** How long attempts in flight may continue after `stop`. */
const SHUTDOWN_GRACE_MS = 5 * SECOND;
/** How far the wall clock may fall behind the monotonic clock before it counts as set back. */
const CLOCK_TOLERANCE_MS = 5 * SECOND;
/** Pause before the next claim after one failed, for example because the database did not respond. */
const CLAIM_RETRY_MS = 2 * SECOND;

// SQLite calls block the event loop. `yieldToEventLoop` before each transaction lets responses
// that have already arrived be processed, so that one transaction records them together.

export interface DeliveryEngineOptions {
  database: Database;
  clock: Clock;
  sender: Sender;
  publisher: DeliveryPublisher;
  /** Returns an endpoint's secrets in plaintext, the current one first, or an empty list if they cannot be decrypted. */
  decryptSecrets(endpoint: ClaimedDelivery["endpoint"], now: number): string[];
  warn(error: unknown, message: string): void;
  random?: () => number;
  pollIntervalMs?: number;
}

export interface DeliveryEngine {
  /** Looks for due deliveries immediately. */
  wake(): void;
  /** Stops claiming, waits up to `graceMs` for attempts in flight, then aborts them, and records all results. */
  stop(graceMs?: number): Promise<void>;
}

export function startDeliveryEngine(options: DeliveryEngineOptions): DeliveryEngine {
  const { database, clock, sender, publisher, decryptSecrets, warn, random = Math.random, pollIntervalMs = POLL_INTERVAL_MS } = options;
  const abortController = new AbortController();
  const roundRobin = createRoundRobin();
  const inFlight = new Map<number, { isFailing: boolean; done: Promise<void> }>();
  let claimRun: Promise<void> | null = null;
  let pending: { batch: FinishedAttempt[]; done: Promise<void> } | null = null;
  let lastWrite: Promise<void> = Promise.resolve();
  let wakeRequested = false;
  let isClosed = false;
  /**
   * Wall clock minus monotonic clock; a drop means that the wall clock was set back. Starts at infinity, so that the
   * first check also covers a change from before the start.
   */
  let clockOffset = Number.POSITIVE_INFINITY;

  async function attempt({ delivery, endpoint, event }: ClaimedDelivery): Promise<void> {
    const request = { url: endpoint.url, id: event.id, body: eventBody(event), secrets: decryptSecrets(endpoint, clock.now()) };
    await record({ delivery, url: endpoint.url, result: await sender.send(request, abortController.signal) });
  }

  function startAttempt(claimed: ClaimedDelivery): void {
    const { id } = claimed.delivery;
    const done = attempt(claimed)
      .catch((error: unknown) => warn(error, `delivery ${id} could not be sent; it is retried when its lease expires`))
      .finally(() => {
        inFlight.delete(id);
        wake();
      });
    inFlight.set(id, { isFailing: claimed.endpoint.failing_since !== null, done });
  }

  const write = (batch: readonly FinishedAttempt[]): Promise<void> =>
    database.write((tx) => recordResults(tx, batch, { engine: database.engine, now: clock.now(), publisher, random }));

  /** Records the results one by one after a batch failed, so that one bad result does not block the others. */
  async function writeEach(batch: readonly FinishedAttempt[], batchError: unknown): Promise<void> {
    if (batch.length > 1)
      for (const finished of batch)
        await write([finished]).catch((error: unknown) => warn(error, `the result of delivery ${finished.delivery.id} could not be recorded`));
    else warn(batchError, `the result of delivery ${batch[0]?.delivery.id} could not be recorded`);
  }

  /** Queues a result for the next batch, which holds everything that finishes while the previous one is written. Resolves once it is recorded. */
  function record(finished: FinishedAttempt): Promise<void> {
    if (!pending) {
      const batch: FinishedAttempt[] = [];
      lastWrite = lastWrite.then(async () => {
        await yieldToEventLoop();
        pending = null;
        await write(batch).catch((error: unknown) => writeEach(batch, error));
      });
      pending = { batch, done: lastWrite };
    }
    pending.batch.push(finished);
    return pending.done;
  }

  async function claimDue(): Promise<void> {
    const now = clock.now();
    const currentOffset = now - performance.now();
    if (currentOffset - clockOffset < -CLOCK_TOLERANCE_MS) await database.write((tx) => resetDueTimes(tx, now));
    clockOffset = currentOffset;
    for (;;) {
      wakeRequested = false;
      const failingCount = [...inFlight.values()].filter((entry) => entry.isFailing).length;
      const capacity = {
        anySlots: MAX_IN_FLIGHT - inFlight.size,
        failingSlots: MAX_FAILING_IN_FLIGHT - failingCount,
        manualSlots: MAX_IN_FLIGHT + MAX_MANUAL_IN_FLIGHT - inFlight.size,
      };
      if (isClosed || capacity.manualSlots <= 0 || !(await hasDueDeliveries(database.read, database.engine, clock.now()))) return;
      const claimed = await database.write((tx) => claim(tx, database.engine, clock.now(), capacity, roundRobin, [...inFlight.keys()]));
      for (const claimedDelivery of claimed) startAttempt(claimedDelivery);
      if (claimed.length === 0 && !wakeRequested) return;
    }
  }

  function wake(): void {
    if (isClosed) return;
    wakeRequested = true;
    claimRun ??= yieldToEventLoop()
      .then(claimDue)
      .catch((error: unknown) => {
        warn(error, "due deliveries could not be claimed");
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
      await sender.close();
    },
  };
}
