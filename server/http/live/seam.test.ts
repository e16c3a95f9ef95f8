/** The seam between log and live, moment by moment: what real load meets only by chance. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import type { Feed, Happening } from "./feed.ts";
import { createSubscription } from "./subscription.ts";
import { upTo } from "../../testing/live.ts";

const TOPIC = "project:1";
const happening = (seq: number): Happening => ({ topic: TOPIC, seq, type: "message.created", data: "{}", createdAt: 0 });
/** Lets everything that is ready run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

function stage(existing: number, first = 1) {
  let log = upTo(existing, first - 1).map(happening);
  let head = 0;
  const sent: string[] = [];
  let beforeAnswer = (_read: number): void => {};
  let reads = 0;
  let slow: Promise<void> | undefined;
  let check: Promise<void> | null = null;
  const feed: Feed = {
    ready: async () => {},
    join: () => {},
    leave: () => {},
    anchor: async () => {},
    onDoubt: () => {},
    head: () => head,
    reached: (_, seq) => {
      head = Math.max(head, seq);
    },
    newest: async () => log.at(-1)?.seq ?? 0,
    async after(_, since, limit) {
      const page = log.filter(({ seq }) => seq > since).slice(0, limit);
      await Promise.resolve();
      beforeAnswer((reads += 1));
      return page;
    },
  };
  const subscription = createSubscription({
    topic: TOPIC,
    feed,
    settled: async () => {
      while (check) await check;
    },
    isSettled: () => check === null,
    send: (frame) => sent.push(String(frame)),
    deliver(frame) {
      sent.push(String(frame));
      return slow;
    },
    eventFor: ({ seq }) => Buffer.from(String(seq)),
    failed: (error) => {
      throw error;
    },
  });
  return {
    subscription,
    sent,
    /** Seqs that were sent, in order. */
    seqs: () => sent.filter((one) => /^\d+$/.test(one)).map(Number),
    /** An event is committed and handed out. */
    happen() {
      const next = happening((log.at(-1)?.seq ?? 0) + 1);
      log.push(next);
      head = next.seq;
      subscription.offer(next);
    },
    duringRead(action: (read: number) => void) {
      beforeAnswer = action;
    },
    slowly(gate: Promise<void> | undefined) {
      slow = gate;
    },
    checking(gate: Promise<void> | null) {
      check = gate;
    },
    prune(upToSeq: number) {
      log = log.filter(({ seq }) => seq > upToSeq);
    },
  };
}

describe("between log and live", () => {
  test.each([1, 2, 3])("an event during read %i that nothing follows is not lost", async (moment) => {
    const { subscription, seqs, happen, duringRead } = stage(5);
    duringRead((read) => read === moment && happen());
    await subscription.open(2);
    await settle();
    const expected = moment <= 2 ? upTo(6, 2) : upTo(5, 2);
    expect(seqs()).toEqual(expected);
    happen();
    expect(seqs()).toEqual(upTo((expected.at(-1) ?? 0) + 1, 2));
  });

  test("an event while the head is asked for comes once", async () => {
    const { subscription, seqs, sent, happen } = stage(3);
    const opening = subscription.open(undefined);
    happen();
    await opening;
    await settle();
    expect(sent[0]).toContain('"subscribed"');
    happen();
    expect(seqs().at(-1)).toBe(5);
    expect(new Set(seqs()).size).toBe(seqs().length);
  });

  test("an event handed out twice, or out of turn, comes once and in order", async () => {
    const { subscription, seqs, happen } = stage(2);
    await subscription.open(2);
    await settle();
    happen();
    subscription.offer(happening(3));
    subscription.offer(happening(1));
    expect(seqs()).toEqual([3]);
    // 4 was never handed out: it is read from the log before 5.
    subscription.hold();
    happen();
    subscription.resume();
    happen();
    await settle();
    expect(seqs()).toEqual([3, 4, 5]);
  });

  test("while the rights are looked up nothing is sent, not even the rest of a page", async () => {
    const { subscription, seqs, slowly, checking, happen } = stage(10);
    const first = Promise.withResolvers<void>();
    slowly(first.promise);
    await subscription.open(0);
    await settle();
    expect(seqs()).toEqual([1]);
    const rights = Promise.withResolvers<void>();
    checking(rights.promise);
    slowly(undefined);
    first.resolve();
    happen();
    await settle();
    expect(seqs()).toEqual([1]);
    checking(null);
    rights.resolve();
    await settle();
    expect(seqs()).toEqual(upTo(11));
  });

  test("after its end nothing is sent", async () => {
    const { subscription, seqs, happen, duringRead } = stage(5);
    duringRead((read) => read === 2 && subscription.end());
    await subscription.open(0);
    await settle();
    happen();
    subscription.resume();
    await settle();
    expect(seqs()).toEqual([]);
  });

  test("pruned while it was held, or too far behind: `reset` once, then on from there", async () => {
    for (const [missed, pruned] of [
      [5, 3],
      [LIMITS.live_catch_up_events + 1, 0],
    ] as const) {
      const { subscription, seqs, sent, happen, prune } = stage(1);
      await subscription.open(1);
      await settle();
      subscription.hold();
      for (let event = 0; event < missed; event += 1) happen();
      prune(pruned);
      subscription.resume();
      await settle();
      expect(sent.filter((one) => one.includes('"reset"'))).toEqual([JSON.stringify({ reset: { topic: TOPIC, seq: missed + 1 } })]);
      happen();
      await settle();
      expect(seqs()).toEqual([missed + 2]);
    }
  });
});
