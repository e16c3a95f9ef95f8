/** Tests the switch from log to live events step by step, in interleavings that real load hits only by chance. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import type { LoggedEvent } from "../../events/log.ts";
import { createSerialQueue } from "../../lib/serial-queue.ts";
import { seqsUpTo } from "../../testing/live.ts";
import type { LiveHub } from "./live-deps.ts";
import { createSubscription } from "./subscription.ts";

const TOPIC = "project:1";
const liveEvent = (seq: number): LoggedEvent => ({ topic: TOPIC, seq, type: "message.created", data: "{}", createdAt: 0 });
/** Lets all pending tasks run. */
const flush = () => new Promise((resolve) => setTimeout(resolve, 0));

function createHarness(existing: number, first = 1, inOrder = createSerialQueue()) {
  let log = seqsUpTo(existing, first - 1).map(liveEvent);
  let publishedSeq = 0;
  const sent: string[] = [];
  let onRead = (_read: number): void => {};
  let readCount = 0;
  let sendBarrier: Promise<void> | undefined;
  let accessCheck: Promise<void> | null = null;
  let checkRemoval = (_event: LoggedEvent): boolean => false;
  const hub: LiveHub = {
    ready: async () => {},
    join: () => {},
    leave: () => {},
    startFromNewest: async () => {},
    onMissedEvents: () => {},
    publishedSeq: () => publishedSeq,
    startFrom: (_, seq) => {
      publishedSeq = Math.max(publishedSeq, seq);
    },
    loadNewestSeq: async () => log.at(-1)?.seq ?? 0,
    async after(_, since, limit) {
      const page = log.filter(({ seq }) => seq > since).slice(0, limit);
      await Promise.resolve();
      onRead((readCount += 1));
      return page;
    },
  };
  const subscription = createSubscription({
    topic: TOPIC,
    hub,
    whenSettled: async () => {
      while (accessCheck) await accessCheck;
    },
    isSettled: () => accessCheck === null,
    send: (frame) => sent.push(String(frame)),
    deliver(frame) {
      sent.push(String(frame));
      return sendBarrier;
    },
    frameFor: ({ seq }) => Buffer.from(String(seq)),
    checkRemoval: (event) => checkRemoval(event),
    inOrder,
    onError: (error) => {
      throw error;
    },
  });
  return {
    subscription,
    sent,
    readCount: () => readCount,
    /** Sent `seq` values, in order. */
    seqs: () => sent.filter((frame) => /^\d+$/.test(frame)).map(Number),
    /** Commits an event and publishes it. */
    commitEvent() {
      const next = liveEvent((log.at(-1)?.seq ?? 0) + 1);
      log.push(next);
      publishedSeq = next.seq;
      subscription.publish(next);
    },
    duringRead(action: (read: number) => void) {
      onRead = action;
    },
    setCheckRemoval(next: typeof checkRemoval) {
      checkRemoval = next;
    },
    setSendBarrier(barrier: Promise<void> | undefined) {
      sendBarrier = barrier;
    },
    setAccessCheck(barrier: Promise<void> | null) {
      accessCheck = barrier;
    },
    prune(upToSeq: number) {
      log = log.filter(({ seq }) => seq > upToSeq);
    },
  };
}

describe("catching up from the log", () => {
  test.each([1, 2, 3])("an event committed during read %i is not lost even if no other follows", async (readIndex) => {
    const { subscription, seqs, commitEvent, duringRead } = createHarness(5);
    duringRead((read) => read === readIndex && commitEvent());
    await subscription.open(2);
    await flush();
    const expected = readIndex <= 2 ? seqsUpTo(6, 2) : seqsUpTo(5, 2);
    expect(seqs()).toEqual(expected);
    commitEvent();
    expect(seqs()).toEqual(seqsUpTo((expected.at(-1) ?? 0) + 1, 2));
  });

  test("an event committed while the newest seq is read is sent once", async () => {
    const { subscription, seqs, sent, commitEvent } = createHarness(3);
    const openPromise = subscription.open(undefined);
    commitEvent();
    await openPromise;
    await flush();
    expect(sent[0]).toContain('"subscribed"');
    commitEvent();
    expect(seqs().at(-1)).toBe(5);
    expect(new Set(seqs()).size).toBe(seqs().length);
  });

  test("an event published twice or out of order is sent once and in order", async () => {
    const { subscription, seqs, commitEvent } = createHarness(2);
    await subscription.open(2);
    await flush();
    commitEvent();
    subscription.publish(liveEvent(3));
    subscription.publish(liveEvent(1));
    expect(seqs()).toEqual([3]);
    // 4 was never published to the subscription, so it is read from the log before 5.
    subscription.pause();
    commitEvent();
    subscription.resume();
    commitEvent();
    await flush();
    expect(seqs()).toEqual([3, 4, 5]);
  });

  test("nothing is sent while access is being checked, not even the rest of a page", async () => {
    const { subscription, seqs, setSendBarrier, setAccessCheck, commitEvent } = createHarness(10);
    const first = Promise.withResolvers<void>();
    setSendBarrier(first.promise);
    await subscription.open(0);
    await flush();
    expect(seqs()).toEqual([1]);
    const access = Promise.withResolvers<void>();
    setAccessCheck(access.promise);
    setSendBarrier(undefined);
    first.resolve();
    commitEvent();
    await flush();
    expect(seqs()).toEqual([1]);
    setAccessCheck(null);
    access.resolve();
    await flush();
    expect(seqs()).toEqual(seqsUpTo(11));
  });

  test("a removal in the log stops the page before it, and the page goes on if access stays", async () => {
    const { subscription, seqs, setCheckRemoval, setAccessCheck } = createHarness(10);
    const access = Promise.withResolvers<void>();
    let isChecked = false;
    setCheckRemoval(({ seq }) => {
      if (seq !== 4 || isChecked) return false;
      isChecked = true;
      setAccessCheck(access.promise);
      return true;
    });
    await subscription.open(0);
    await flush();
    expect(seqs()).toEqual(seqsUpTo(3));
    setAccessCheck(null);
    access.resolve();
    await flush();
    expect(seqs()).toEqual(seqsUpTo(10));
  });

  test("nothing is sent after the subscription ends", async () => {
    const { subscription, seqs, commitEvent, duringRead } = createHarness(5);
    duringRead((read) => read === 2 && subscription.end());
    await subscription.open(0);
    await flush();
    commitEvent();
    subscription.resume();
    await flush();
    expect(seqs()).toEqual([]);
  });

  test("a socket has one batch of events in memory: the next is read when the one before is sent, also for another topic", async () => {
    const inOrder = createSerialQueue();
    const [first, second] = [createHarness(250, 1, inOrder), createHarness(5, 1, inOrder)];
    const barrier = Promise.withResolvers<void>();
    first.setSendBarrier(barrier.promise);
    await first.subscription.open(0);
    await second.subscription.open(0);
    await flush();
    // Each has read the event that shows whether the log is complete, and the first one its first batch.
    expect([first.readCount(), second.readCount()]).toEqual([2, 1]);
    first.setSendBarrier(undefined);
    barrier.resolve();
    await flush();
    expect([first.seqs(), second.seqs()]).toEqual([seqsUpTo(250), seqsUpTo(5)]);
  });

  test("one `reset` is sent when missed events were pruned or are too many, and new events follow", async () => {
    for (const [missedCount, prunedSeq] of [
      [5, 3],
      [LIMITS.live_catch_up_events + 1, 0],
    ] as const) {
      const { subscription, seqs, sent, commitEvent, prune } = createHarness(1);
      await subscription.open(1);
      await flush();
      subscription.pause();
      for (let event = 0; event < missedCount; event += 1) commitEvent();
      prune(prunedSeq);
      subscription.resume();
      await flush();
      expect(sent.filter((frame) => frame.includes('"reset"'))).toEqual([JSON.stringify({ reset: { topic: TOPIC, seq: missedCount + 1 } })]);
      commitEvent();
      await flush();
      expect(seqs()).toEqual([missedCount + 2]);
    }
  });
});
