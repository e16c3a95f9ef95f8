import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLOSE_CODES } from "../../../contract/events.ts";
import { backoffMs, initialMachine, transition, type Effect, type Input, type Machine } from "./connection-machine.ts";

function run(inputs: Input[], from: Machine = initialMachine): { machine: Machine; effects: Effect[] } {
  let machine = from;
  let effects: Effect[] = [];
  for (const input of inputs) [machine, effects] = transition(machine, input, 0.5);
  return { machine, effects };
}
const start: Input = { type: "start", at: 0 };
const opened: Input = { type: "opened" };
const frameReceived: Input = { type: "frameReceived" };
const retry: Input = { type: "retry" };
const closed = (at: number, code = 1006): Input => ({ type: "closed", at, code });

describe("the connection", () => {
  test("opens at the start and is live once open", () => {
    expect(run([start])).toMatchObject({ machine: { phase: "connecting", since: null }, effects: [{ type: "open" }] });
    expect(run([start, opened]).machine).toMatchObject({ phase: "live", since: null });
  });

  test("reports since when it is lost, through every attempt, until it is live", () => {
    const liveInputs = [start, opened, frameReceived];
    expect(run([...liveInputs, closed(50)]).machine).toMatchObject({ phase: "connecting", since: 50 });
    expect(run([...liveInputs, closed(50), retry, closed(90), retry, closed(200)]).machine.since).toBe(50);
    expect(run([...liveInputs, closed(50), retry, opened]).machine).toMatchObject({ phase: "live", since: null });
  });

  test("polls after the second failed attempt; a successful poll means polling, a failed one offline", () => {
    const failing = [start, closed(1), retry, closed(2)];
    expect(run(failing.slice(0, 2)).effects).not.toContainEqual({ type: "poll", afterMs: 0 });
    expect(run(failing).effects).toContainEqual({ type: "poll", afterMs: 0 });
    expect(run([...failing, { type: "polled", ok: true }]).machine.phase).toBe("polling");
    expect(run([...failing, { type: "polled", ok: false }]).machine.phase).toBe("offline");
    expect(run([...failing, { type: "polled", ok: true }, retry, opened])).toMatchObject({
      machine: { phase: "live", isPolling: false },
      effects: [{ type: "stopPolling" }],
    });
  });

  test("continues to reconnect while polling", () => {
    const { effects } = run([start, closed(1), retry, closed(2), { type: "polled", ok: true }, retry, closed(3)]);
    expect(effects).toEqual([{ type: "retry", afterMs: backoffMs(3, 0.5) }]);
  });

  test("backs off when a socket opens and closes without a frame, as if it had never opened", () => {
    const dying = [start, opened, closed(1), retry, opened, closed(2), retry, opened, closed(3)];
    expect(run(dying).effects).toContainEqual({ type: "retry", afterMs: backoffMs(3, 0.5) });
    expect(run([...dying.slice(0, -1), frameReceived, closed(3)]).effects).toContainEqual({ type: "retry", afterMs: backoffMs(1, 0.5) });
  });

  test("reconnects immediately after a slow socket, and after being signed out only when it is woken", () => {
    for (const code of [CLOSE_CODES.tooSlow]) {
      expect(run([start, opened, frameReceived, closed(5, code)]).effects).toEqual([{ type: "retry", afterMs: 100 }]);
    }
    const result = run([start, opened, frameReceived, closed(5, CLOSE_CODES.unauthorized)]);
    expect(result.effects).toContainEqual({ type: "signedOut" });
    expect(run([{ type: "polled", ok: true }], result.machine).effects).toEqual([]);
    expect(run([{ type: "woken" }], result.machine).effects).toEqual([{ type: "open" }]);
  });

  test("opens immediately when woken, or probes an open socket", () => {
    expect(run([start, opened, frameReceived, closed(5), { type: "woken" }])).toMatchObject({ machine: { failures: 0 }, effects: [{ type: "open" }] });
    expect(run([start, opened, { type: "woken" }]).effects).toEqual([{ type: "probe" }]);
    expect(run([start, { type: "woken" }]).effects).toEqual([]);
  });

  test("is offline without a network, but probes an open socket first", () => {
    expect(run([start, closed(1), { type: "networkLost", at: 2 }]).machine).toMatchObject({ phase: "offline", since: 1 });
    expect(run([start, opened, { type: "networkLost", at: 2 }])).toMatchObject({ machine: { phase: "live" }, effects: [{ type: "probe" }] });
  });

  test("ends everything when stopped, and starts over afterwards", () => {
    const stopped = run([start, closed(1), retry, closed(2), { type: "stop" }]);
    expect(stopped.effects).toEqual([{ type: "close" }, { type: "stopPolling" }]);
    expect(run([start], stopped.machine).effects).toEqual([{ type: "open" }]);
  });
});

test("the backoff is between 250 ms and 20 s", () => {
  expect(backoffMs(1, 0)).toBe(250);
  expect(backoffMs(3, 0.999)).toBeLessThan(2_000);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, random) => {
      expect(backoffMs(failures, random)).toBeGreaterThanOrEqual(250);
      expect(backoffMs(failures, random)).toBeLessThanOrEqual(20_000);
    }),
  );
});

test("no sequence of inputs opens two sockets, or leaves it idle while it should run", () => {
  const inputArbitrary = fc.constantFrom<Input>(
    opened,
    frameReceived,
    retry,
    closed(1),
    closed(2, 1001),
    closed(3, CLOSE_CODES.tooSlow),
    { type: "woken" },
    { type: "networkLost", at: 4 },
    { type: "polled", ok: true },
    { type: "polled", ok: false },
  );
  fc.assert(
    fc.property(fc.array(inputArbitrary, { maxLength: 50 }), (inputs) => {
      let machine = transition(initialMachine, start, 0)[0];
      let isRetryScheduled = false;
      for (const input of inputs) {
        // Skips impossible inputs: opening without an attempt, closing without a socket.
        if ((input.type === "opened" && machine.socket !== "connecting") || (input.type === "closed" && machine.socket === "none")) continue;
        if ((input.type === "retry" && !isRetryScheduled) || (input.type === "frameReceived" && machine.socket !== "open")) continue;
        const before = machine;
        const [next, effects] = transition(machine, input, 0.5);
        if (effects.some((effect) => effect.type === "open")) {
          expect(before.socket).toBe("none");
          isRetryScheduled = false;
        }
        if (effects.some((effect) => effect.type === "retry")) isRetryScheduled = true;
        machine = next;
        expect(machine.socket !== "none" || isRetryScheduled).toBe(true);
      }
    }),
  );
});
