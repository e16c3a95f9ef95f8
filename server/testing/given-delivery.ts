/** What every test of the delivery engine is given: a receiver, and a clock and a database of its own for each test. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { movableClock, type MovableClock } from "./clock.ts";
import type { ENGINES } from "./engines.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { startReceiver, type Receiver } from "./receiver.ts";

/** Call it where tests are described; read `office`, `receiver` and `clock` inside them only. */
export function givenDelivery(engine: (typeof ENGINES)[number]) {
  let receiver: Receiver;
  let office: PostOffice;
  let clock: MovableClock;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.got.length = 0;
    clock = movableClock(Date.now());
    office = await openPostOffice(engine, clock);
  });
  afterEach(async () => {
    await office.close();
    // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
    expect(office.warnings).toEqual([]);
  });

  const state = async (id: number): Promise<string> => (await office.delivery(id)).state;
  return {
    get receiver() {
      return receiver;
    },
    get office() {
      return office;
    },
    get clock() {
      return clock;
    },
    /** An endpoint at this path of the receiver. */
    at: (path: string, more: Parameters<PostOffice["endpoint"]>[1] = {}) => office.endpoint(`${receiver.base}${path}`, more),
    state,
    becomes: (id: number, wanted: string) => office.until(`delivery ${id} ${wanted}`, async () => (await state(id)) === wanted),
    tries: (id: number, count: number) => office.until(`delivery ${id} tried ${count} times`, async () => (await office.attempts(id)).length === count),
  };
}
