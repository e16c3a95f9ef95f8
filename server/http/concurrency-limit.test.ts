/** Tests how many requests of one caller run at a time. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createConcurrencyLimit, type ConcurrencyLimits } from "./concurrency-limit.ts";

function createRequests(limits: ConcurrencyLimits) {
  const limit = createConcurrencyLimit(limits);
  const started: string[] = [];
  const refused: string[] = [];
  return {
    started,
    refused,
    /** Returns a function that ends the request. */
    send(name: string, key = "account 1") {
      const callbacks: (() => void)[] = [];
      const refuse = (error: Error) => void refused.push(`${name}: ${error.message.slice(0, 8)}`);
      try {
        void limit.acquire(key, (callback) => void callbacks.push(callback)).started.then(() => void started.push(name), refuse);
      } catch (error) {
        refuse(error as Error);
      }
      return () => callbacks.forEach((callback) => callback());
    },
  };
}

it("further requests are queued in order, and those beyond are refused", async () => {
  const { send, started, refused } = createRequests({ maxRunning: 2, maxQueued: 2 });
  const ends = ["a", "b", "c", "d", "e"].map((name) => send(name));
  send("other", "account 2");
  await nextTurn();
  expect(started).toEqual(["a", "b", "other"]);
  expect(refused).toEqual(["e: Too many"]);
  ends[1]?.();
  ends[1]?.();
  // Others come first: their requests may have arrived in this turn of the event loop.
  for (let count = 0; count < 50; count += 1) await Promise.resolve();
  expect(started.at(-1)).toBe("other");
  await nextTurn();
  expect(started.at(-1)).toBe("c");
  ends[0]?.();
  await nextTurn();
  expect(started.at(-1)).toBe("d");
  ends[2]?.();
  ends[3]?.();
  // Both slots are free again.
  for (const name of ["f", "g"]) send(name);
  await nextTurn();
  expect(started.slice(-2)).toEqual(["f", "g"]);
});

it("a request that ends while it is queued takes no slot, and one that ends as it may start leaves its slot to the next", async () => {
  const { send, started, refused } = createRequests({ maxRunning: 1, maxQueued: 5 });
  const [endFirst, endSecond, endThird] = ["first", "second", "third", "fourth"].map((name) => send(name));
  endSecond?.();
  await nextTurn();
  expect(refused).toEqual(["second: The conn"]);
  endFirst?.();
  endThird?.();
  await nextTurn();
  expect(started).toEqual(["first", "third", "fourth"]);
});
