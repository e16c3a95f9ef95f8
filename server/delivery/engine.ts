/** Sends what is due: claims fairly, tries, records. Several may work on one database. */
import { setImmediate as letIn } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import { SECOND, type Clock } from "../lib/clock.ts";
import { eventBody } from "../presenters/event-body.ts";
import { claim, createTurns, isAnyDue, type Claimed } from "./claim.ts";
import { hurry } from "./leases.ts";
import type { Sender } from "./send.ts";
import { settle, type Finished, type Tell } from "./settle.ts";

/** Tries under way at once in this process. */
const MOST = 256;
/** Of them, at endpoints that have only failed lately: however many hang, the others find room. */
const MOST_STRUGGLING = 128;
const LOOK_EVERY_MS = SECOND;
/** Beyond them, of what people asked for: somebody sits and waits for it. */
const MOST_BY_HAND = 16;
/** What is under way when it stops may go on for so long. */
const GRACE_MS = 5 * SECOND;
/** The clock on the wall may be off by so much before it counts as put back. */
const STEADY_MS = 5 * SECOND;
const RETRY_MS = 2 * SECOND;

// SQLite works without letting the event loop turn: before each transaction answers that have come are let in (`letIn`), and so recorded together.

export interface EngineOptions {
  database: Database;
  clock: Clock;
  sender: Sender;
  tell: Tell;
  /** An endpoint's secrets in the clear, the current one first; none where they cannot be read. */
  secretsOf(endpoint: Claimed["endpoint"], now: number): string[];
  warn(error: unknown, message: string): void;
  random?: () => number;
  lookEveryMs?: number;
}

export interface DeliveryEngine {
  /** Something may be due: look now. */
  wake(): void;
  /** Takes up nothing more, lets what is under way end for a while, records it. */
  stop(graceMs?: number): Promise<void>;
}

export function startEngine(options: EngineOptions): DeliveryEngine {
  const { database, clock, sender, tell, secretsOf, warn, random = Math.random, lookEveryMs = LOOK_EVERY_MS } = options;
  const stopping = new AbortController();
  const turns = createTurns();
  const underWay = new Map<number, { struggling: boolean; done: Promise<void> }>();
  let claiming: Promise<void> | null = null;
  let next: { some: Finished[]; done: Promise<void> } | null = null;
  let recorded: Promise<void> = Promise.resolve();
  let again = false;
  let closed = false;
  /** Time on the wall less time that has passed: falls when the clock is put back, which may have been before the start. */
  let offset = Number.POSITIVE_INFINITY;

  async function trial({ delivery, endpoint, event }: Claimed): Promise<void> {
    const letter = { url: endpoint.url, id: event.id, body: eventBody(event), secrets: secretsOf(endpoint, clock.now()) };
    await record({ delivery, url: endpoint.url, tried: await sender.send(letter, stopping.signal) });
  }

  function begin(claimed: Claimed): void {
    const { id } = claimed.delivery;
    const done = trial(claimed)
      .catch((error: unknown) => warn(error, `delivery ${id} could not be sent; it is tried again when its lease has run out`))
      .finally(() => {
        underWay.delete(id);
        wake();
      });
    underWay.set(id, { struggling: claimed.endpoint.failing_since !== null, done });
  }

  const write = (some: readonly Finished[]): Promise<void> =>
    database.write((tx) => settle(tx, some, { engine: database.engine, now: clock.now(), tell, random }));

  /** One that cannot be recorded must not keep the others from it. */
  async function writeEach(some: readonly Finished[], first: unknown): Promise<void> {
    if (some.length > 1)
      for (const one of some) await write([one]).catch((error: unknown) => warn(error, `how delivery ${one.delivery.id} ended could not be recorded`));
    else warn(first, `how delivery ${some[0]?.delivery.id} ended could not be recorded`);
  }

  /** What ends while others are being recorded is recorded together. Resolves when this one is. */
  function record(one: Finished): Promise<void> {
    if (!next) {
      const some: Finished[] = [];
      recorded = recorded.then(async () => {
        await letIn();
        next = null;
        await write(some).catch((error: unknown) => writeEach(some, error));
      });
      next = { some, done: recorded };
    }
    next.some.push(one);
    return next.done;
  }

  async function takeUp(): Promise<void> {
    const now = clock.now();
    const found = now - performance.now();
    if (found - offset < -STEADY_MS) await database.write((tx) => hurry(tx, now));
    offset = found;
    for (;;) {
      again = false;
      const struggling = [...underWay.values()].filter((one) => one.struggling).length;
      const room = { all: MOST - underWay.size, struggling: MOST_STRUGGLING - struggling, byHand: MOST + MOST_BY_HAND - underWay.size };
      if (closed || room.byHand <= 0 || !(await isAnyDue(database.read, database.engine, clock.now()))) return;
      const claimed = await database.write((tx) => claim(tx, database.engine, clock.now(), room, turns, [...underWay.keys()]));
      for (const one of claimed) begin(one);
      if (claimed.length === 0 && !again) return;
    }
  }

  function wake(): void {
    if (closed) return;
    again = true;
    claiming ??= letIn()
      .then(takeUp)
      .catch((error: unknown) => {
        warn(error, "due deliveries could not be taken up");
        setTimeout(wake, RETRY_MS).unref();
      })
      .finally(() => {
        claiming = null;
        if (again) queueMicrotask(wake);
      });
  }

  const timer = setInterval(wake, lookEveryMs).unref();
  wake();
  return {
    wake,
    async stop(graceMs = GRACE_MS) {
      closed = true;
      clearInterval(timer);
      await claiming;
      const all = Promise.all([...underWay.values()].map(({ done }) => done));
      const hard = setTimeout(() => stopping.abort(), graceMs);
      await all;
      clearTimeout(hard);
      await sender.close();
    },
  };
}
