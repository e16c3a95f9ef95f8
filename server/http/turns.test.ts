/** Tests how many requests of one caller are under way, on their own and through the routes. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

function createRequests(limits: { atOnce: number; waiting: number }) {
  const turns = createTurns(limits);
  const started: string[] = [];
  const refused: string[] = [];
  return {
    started,
    refused,
    /** Returns a function that ends the request. */
    send(name: string, key = "account 1") {
      const callbacks: (() => void)[] = [];
      turns
        .take(key, (callback) => void callbacks.push(callback))
        .then(
          () => started.push(name),
          (error: Error) => refused.push(`${name}: ${error.message.slice(0, 8)}`),
        );
      return () => callbacks.forEach((callback) => callback());
    },
  };
}

it("further requests wait in order, and those beyond are refused", async () => {
  const { send, started, refused } = createRequests({ atOnce: 2, waiting: 2 });
  const ends = ["a", "b", "c", "d", "e"].map((name) => send(name));
  send("other", "account 2");
  await nextTurn();
  expect(started).toEqual(["a", "b", "other"]);
  expect(refused).toEqual(["e: You have"]);
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
  // All turns are free again.
  for (const name of ["f", "g"]) send(name);
  await nextTurn();
  expect(started.slice(-2)).toEqual(["f", "g"]);
});

it("a request that ends while it waits takes no turn, and one that ends as its turn comes gives it up", async () => {
  const { send, started, refused } = createRequests({ atOnce: 1, waiting: 5 });
  const [endFirst, endSecond, endThird] = ["first", "second", "third", "fourth"].map((name) => send(name));
  endSecond?.();
  await nextTurn();
  expect(refused).toEqual(["second: The conn"]);
  endFirst?.();
  endThird?.();
  await nextTurn();
  expect(started).toEqual(["first", "third", "fourth"]);
});
