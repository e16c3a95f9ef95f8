import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CLOSE_CODES, type ClientFrame, type LiveEvent, type ServerFrame } from "../../../contract/events.ts";
import type { LiveHandlers } from "../../api/live.ts";
import { createCursors } from "../../queries/query-state.ts";
import { applyInOrder } from "./apply-events.ts";
import { createSubscriber } from "./subscriber.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Sets up a subscriber whose service the test controls. */
function setUp() {
  const sockets: { handlers: LiveHandlers; sent: ClientFrame[]; closed: boolean }[] = [];
  const applied: LiveEvent[] = [];
  const invalidated: string[] = [];
  const cursors = createCursors();
  const calls = { polls: [] as string[][], reconnected: 0, signedOut: 0, signals: 0, pollFails: false, batches: 0 };
  const live = createSubscriber({
    cursors,
    open(handlers) {
      const socket = { handlers, sent: [] as ClientFrame[], closed: false };
      sockets.push(socket);
      return {
        send: (frame) => void socket.sent.push(frame),
        close() {
          if (socket.closed) return;
          socket.closed = true;
          handlers.onClose(1006);
        },
      };
    },
    apply(events) {
      calls.batches += 1;
      const sorted = applyInOrder(cursors.all(), events);
      cursors.replace(sorted.cursors);
      applied.push(...sorted.ready);
      return sorted.gaps;
    },
    signal: () => (calls.signals += 1),
    invalidate: (topic) => void invalidated.push(topic),
    firstSubscribed: () => undefined,
    poll: async (topics) => {
      calls.polls.push([...topics]);
      if (calls.pollFails) throw new Error("unreachable");
    },
    reconnected: () => (calls.reconnected += 1),
    signedOut: () => (calls.signedOut += 1),
    now: Date.now,
    random: () => 0.5,
    nextFrame: (run) => void setTimeout(run, 16),
  });
  const socket = () => sockets.at(-1)!;
  return {
    live,
    cursors,
    sockets,
    socket,
    applied,
    invalidated,
    calls,
    accept: () => socket().handlers.onOpen(),
    disconnect: (code = 1006) => socket().handlers.onClose(code),
    emit: (...frames: ServerFrame[]) => {
      for (const frame of frames) socket().handlers.onFrame(frame);
      vi.advanceTimersByTime(16);
    },
    subscriptions: () => socket().sent.flatMap((frame) => ("subscribe" in frame ? [frame.subscribe] : [])),
  };
}
const event = (seq: number, topic = "project:1"): ServerFrame => ({ event: { topic, seq, type: "x", time: "", data: {} } });
const subscribed = (seq: number, topic = "project:1"): ServerFrame => ({ subscribed: { topic, seq } });

describe("subscribing", () => {
  test("a project waits for its first page and subscribes from its cursor", () => {
    const { live, accept, subscriptions, cursors } = setUp();
    live.start();
    accept();
    live.follow("project:1", { waitForPage: true });
    expect(subscriptions()).toEqual([]);
    cursors.recordSnapshot("project:1", 41);
    expect(subscriptions()).toEqual([{ topic: "project:1", since: 41 }]);
  });

  test("a topic without a page subscribes from now, and reloads what was cached before", () => {
    const { live, accept, subscriptions, emit, invalidated, cursors } = setUp();
    live.follow("account:7");
    live.start();
    accept();
    expect(subscriptions()).toEqual([{ topic: "account:7" }]);
    emit(subscribed(12, "account:7"));
    expect(invalidated).toEqual(["account:7"]);
    expect(cursors.get("account:7")).toBe(12);
  });

  test("a topic reloads what was cached before a page that arrived before the subscription", () => {
    const { live, accept, disconnect, subscriptions, emit, invalidated, cursors } = setUp();
    live.follow("project:1");
    live.start();
    accept();
    cursors.recordSnapshot("project:1", 41);
    emit(subscribed(43));
    expect(subscriptions().at(-1)).toEqual({ topic: "project:1", since: 41 });
    expect(invalidated).toEqual(["project:1"]);
    emit(subscribed(43));
    disconnect();
    vi.advanceTimersByTime(1_000);
    accept();
    emit(subscribed(43));
    expect(invalidated).toEqual(["project:1"]);
  });

  test("a topic that was left before its subscription was confirmed reloads what was cached, also if a page then says where to begin", () => {
    const { live, accept, subscriptions, emit, invalidated, cursors } = setUp();
    live.start();
    accept();
    live.follow("project:1")();
    live.follow("project:1", { waitForPage: true });
    cursors.recordSnapshot("project:1", 9);
    expect(subscriptions()).toEqual([{ topic: "project:1" }, { topic: "project:1", since: 9 }]);
    emit(subscribed(9));
    expect(invalidated).toEqual(["project:1"]);
    emit(subscribed(9));
    expect(invalidated).toEqual(["project:1"]);
  });

  test("after a reconnect, a topic resumes from the last applied event", () => {
    const { live, accept, disconnect, subscriptions, emit, cursors, applied, calls } = setUp();
    cursors.recordSnapshot("project:1", 3);
    live.follow("project:1", { waitForPage: true });
    live.start();
    accept();
    emit(subscribed(3), event(4), event(5));
    disconnect();
    vi.advanceTimersByTime(1_000);
    accept();
    expect(subscriptions()).toEqual([{ topic: "project:1", since: 5 }]);
    emit(event(5), event(6));
    expect(applied.map(({ seq }) => seq)).toEqual([4, 5, 6]);
    expect(calls.reconnected).toBe(1);
  });

  test("a gap subscribes again from the cursor, only once until the response", () => {
    const { live, accept, subscriptions, emit, cursors, applied } = setUp();
    cursors.recordSnapshot("project:1", 1);
    live.follow("project:1", { waitForPage: true });
    live.start();
    accept();
    emit(subscribed(1), event(3));
    emit(event(4));
    expect(subscriptions()).toEqual([
      { topic: "project:1", since: 1 },
      { topic: "project:1", since: 1 },
    ]);
    emit(event(2), event(3), event(4), subscribed(4));
    expect(applied.map(({ seq }) => seq)).toEqual([2, 3, 4]);
    // The gap at event 4 was found while the response was pending, so one more subscription follows, which misses nothing.
    expect(subscriptions().at(-1)).toEqual({ topic: "project:1", since: 4 });
    expect(subscriptions()).toHaveLength(3);
  });

  test("a page older than the applied events moves the cursor back", () => {
    const { live, accept, subscriptions, emit, cursors } = setUp();
    cursors.recordSnapshot("project:1", 5);
    live.follow("project:1", { waitForPage: true });
    live.start();
    accept();
    emit(subscribed(5), event(6), event(7));
    cursors.recordSnapshot("project:1", 9);
    expect(cursors.get("project:1")).toBe(7);
    cursors.recordSnapshot("project:1", 6);
    expect(subscriptions().at(-1)).toEqual({ topic: "project:1", since: 6 });
  });

  test("a reset, or a service with an older log, reloads everything", () => {
    const { live, accept, emit, cursors, invalidated } = setUp();
    cursors.recordSnapshot("project:1", 5);
    live.follow("project:1", { waitForPage: true });
    live.start();
    accept();
    emit({ reset: { topic: "project:1", seq: 5_000 } });
    expect(cursors.get("project:1")).toBe(5_000);
    emit(subscribed(20));
    expect(cursors.get("project:1")).toBe(20);
    expect(invalidated).toEqual(["project:1", "project:1"]);
  });

  test("two subscribers share a topic, and the last one unsubscribes", () => {
    const { live, accept, socket, emit } = setUp();
    const first = live.follow("account:1");
    const second = live.follow("account:1");
    live.start();
    accept();
    emit(subscribed(1, "account:1"));
    first();
    first();
    expect(live.isFollowing("account:1")).toBe(true);
    second();
    expect(socket().sent.at(-1)).toEqual({ unsubscribe: { topic: "account:1" } });
  });
});

describe("frames", () => {
  test("are applied at once if they come alone, and a burst after its first in one batch per animation frame", () => {
    const { live, accept, cursors, calls, socket, applied } = setUp();
    cursors.recordSnapshot("project:1", 0);
    live.follow("project:1", { waitForPage: true });
    live.start();
    accept();
    const receive = (from: number, to: number) => {
      for (let seq = from; seq <= to; seq += 1) socket().handlers.onFrame(event(seq));
    };
    receive(1, 200);
    expect([applied.length, calls.batches]).toEqual([1, 1]);
    vi.advanceTimersByTime(16);
    expect([applied.length, calls.batches]).toEqual([200, 2]);
    // Frames that arrive right after a batch wait for the next one.
    receive(201, 300);
    expect(applied).toHaveLength(200);
    vi.advanceTimersByTime(16);
    expect([applied.length, calls.batches]).toEqual([300, 3]);
    vi.advanceTimersByTime(16);
    receive(301, 301);
    expect(applied.map((one) => one.seq)).toEqual(Array.from({ length: 301 }, (_, index) => index + 1));
  });

  test("that arrived before a socket closed are still applied", () => {
    const { live, accept, socket, disconnect, cursors, applied } = setUp();
    cursors.recordSnapshot("project:1", 0);
    live.follow("project:1", { waitForPage: true });
    live.start();
    accept();
    socket().handlers.onFrame(event(1));
    disconnect();
    expect(applied).toHaveLength(1);
  });

  test("of an old socket are ignored", () => {
    const { live, accept, sockets, disconnect, calls } = setUp();
    live.start();
    accept();
    disconnect();
    vi.advanceTimersByTime(1_000);
    sockets[0]!.handlers.onFrame({ signal: { type: "project.activity", data: {} } });
    vi.advanceTimersByTime(16);
    expect(calls.signals).toBe(0);
  });
});

describe("the heartbeat", () => {
  test("pings a silent socket, and closes it when there is no pong", () => {
    const { live, accept, socket, sockets } = setUp();
    live.start();
    accept();
    vi.advanceTimersByTime(20_000);
    expect(socket().sent.some((frame) => "ping" in frame)).toBe(true);
    vi.advanceTimersByTime(8_000);
    expect(sockets[0]!.closed).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(2);
  });

  test("leaves a socket open that sends pongs", () => {
    const { live, accept, emit, socket } = setUp();
    live.start();
    accept();
    for (let round = 0; round < 5; round += 1) {
      vi.advanceTimersByTime(20_000);
      emit({ pong: 1 });
    }
    expect(socket().closed).toBe(false);
  });

  test("closes and replaces a socket that never opens", () => {
    const { live, sockets } = setUp();
    live.start();
    vi.advanceTimersByTime(12_000);
    expect(sockets[0]!.closed).toBe(true);
    expect(sockets).toHaveLength(2);
  });
});

describe("without the live connection", () => {
  test("it polls followed topics, reports polling, and stops when a socket opens", async () => {
    const { live, disconnect, accept, calls } = setUp();
    live.follow("project:1", { waitForPage: true });
    live.start();
    disconnect();
    await vi.advanceTimersByTimeAsync(1_000);
    disconnect();
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.polls).toEqual([["project:1"]]);
    expect(live.get()).toMatchObject({ phase: "polling", since: expect.any(Number) });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(calls.polls.length).toBe(2);
    accept();
    expect(live.get()).toEqual({ phase: "live", since: null });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(calls.polls.length).toBe(2);
  });

  test("failing polls mean offline", async () => {
    const { live, disconnect, calls } = setUp();
    calls.pollFails = true;
    const phases: string[] = [];
    live.subscribe(() => void phases.push(live.get().phase));
    live.start();
    disconnect();
    await vi.advanceTimersByTimeAsync(1_000);
    disconnect();
    await vi.advanceTimersByTimeAsync(1);
    expect(phases.at(-1)).toBe("offline");
  });
});

test("after being signed out the subscriber waits until it is woken, as after another token, and then catches up", () => {
  const { live, accept, disconnect, emit, sockets, calls, subscriptions } = setUp();
  live.follow("project:1");
  live.start();
  accept();
  emit(subscribed(3));
  disconnect(CLOSE_CODES.unauthorized);
  vi.advanceTimersByTime(120_000);
  expect([calls.signedOut, calls.polls.length, sockets.length]).toEqual([1, 0, 1]);
  live.wake();
  accept();
  expect(subscriptions()).toEqual([{ topic: "project:1", since: 3 }]);
});

test("stopping closes the socket and leaves no timer", () => {
  const { live, accept, socket } = setUp();
  live.start();
  accept();
  live.stop();
  expect(socket().closed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
