/**
 * One topic on one socket: reads the log first, then switches to live events, without gaps or duplicates in between.
 * Nothing is buffered: while catching up, a subscription ignores live events and reads them from the log as well.
 */
import { LIMITS } from "../../../contract/limits.ts";
import { mayBeCut, type LoggedEvent } from "../../events/log.ts";
import { encode } from "./frames.ts";
import type { LiveHub } from "./live-deps.ts";

const BATCH_SIZE = 100;

export interface SubscriptionDeps {
  topic: string;
  hub: LiveHub;
  /** Resolves when no permission check is in flight. */
  whenSettled(): Promise<void>;
  isSettled(): boolean;
  send(frame: Buffer): void;
  /** Sends the frame. If much is buffered already, returns a promise that resolves once the frame is written. */
  deliver(frame: Buffer): Promise<void> | undefined;
  frameFor(event: LoggedEvent): Buffer;
  /** Starts to check the permissions again if the event removes the user from the project. Returns whether it does. */
  checkRemoval(event: LoggedEvent): boolean;
  /** Runs the work of all subscriptions of a socket one after another, so that the socket has one batch of events in memory. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  onError(error: unknown): void;
}

export type Subscription = ReturnType<typeof createSubscription>;

export function createSubscription({ topic, hub, whenSettled, isSettled, send, deliver, frameFor, checkRemoval, inOrder, onError }: SubscriptionDeps) {
  /** The newest sent `seq`. */
  let cursor = 0;
  let isLive = false;
  let isOpen = false;
  let isCatchingUp = false;
  let isEnded = false;

  function resetTo(seq: number): void {
    cursor = seq;
    send(encode({ reset: { topic, seq } }));
  }

  /** Sends the next events of the log, and returns whether it has no more. `publishedSeq`: as it was before, so the log should contain all events up to it. */
  async function sendBatch(publishedSeq: number): Promise<boolean> {
    if (isEnded) return true;
    const batch = await hub.after(topic, cursor, BATCH_SIZE);
    // The next events were pruned, or a restored backup lacks them.
    if (batch.length > 0 ? batch[0]?.seq !== cursor + 1 : publishedSeq > cursor) {
      resetTo(Math.max(await hub.loadNewestSeq(topic), hub.publishedSeq(topic)));
      return !mayBeCut(batch, BATCH_SIZE);
    }
    for (const event of batch) {
      // The permission may just have ended, so the next round checks it before more is sent.
      if (isEnded || !isSettled()) return false;
      // The log can be ahead of what other processes announce, so a removal may be read here first, before the events that it hides.
      if (checkRemoval(event)) return false;
      cursor = event.seq;
      await deliver(frameFor(event));
    }
    return !mayBeCut(batch, BATCH_SIZE);
  }

  async function catchUp(): Promise<void> {
    if (isCatchingUp || isEnded) return;
    isCatchingUp = true;
    try {
      for (let reachedEnd = false; ;) {
        await whenSettled();
        if (isEnded) return;
        const publishedSeq = hub.publishedSeq(topic);
        if (reachedEnd && publishedSeq <= cursor) {
          isLive = true;
          hub.startFrom(topic, cursor);
          return;
        }
        if (publishedSeq - cursor > LIMITS.live_catch_up_events) resetTo(publishedSeq);
        reachedEnd = await inOrder(() => sendBatch(publishedSeq));
      }
    } catch (error) {
      onError(error);
    } finally {
      isCatchingUp = false;
    }
  }

  return {
    /**
     * Starts after `since`, or at the newest event. Sends `subscribed`, or `reset` if `since` is too far back. `caughtUp` resolves after the events of the
     * log have been sent.
     */
    async open(since: number | undefined): Promise<{ caughtUp: Promise<void> }> {
      const newest = Math.max(await hub.loadNewestSeq(topic), hub.publishedSeq(topic));
      const missedCount = newest - (since ?? newest);
      const [next] = missedCount > 0 && missedCount <= LIMITS.live_catch_up_events ? await hub.after(topic, newest - missedCount, 1) : [];
      await whenSettled();
      if (isEnded) return { caughtUp: Promise.resolve() };
      if (missedCount === 0 || next?.seq === newest - missedCount + 1) {
        cursor = newest - missedCount;
        send(encode({ subscribed: { topic, seq: newest } }));
      } else resetTo(newest);
      isOpen = true;
      return { caughtUp: catchUp() };
    },
    /** Confirms a repeated subscription that needs nothing from the log. Returns false if it does. */
    confirm(since: number | undefined): boolean {
      if (!isLive || !isSettled() || (since !== undefined && since !== cursor)) return false;
      send(encode({ subscribed: { topic, seq: cursor } }));
      return true;
    },
    publish(event: LoggedEvent): void {
      if (!isLive || event.seq <= cursor) return;
      if (event.seq === cursor + 1) {
        cursor = event.seq;
        send(frameFor(event));
        return;
      }
      isLive = false;
      void catchUp();
    },
    /** Stops sending until `resume`. */
    pause(): void {
      isLive = false;
    },
    resume(): void {
      if (isOpen && !isLive) void catchUp();
    },
    end(): void {
      isEnded = true;
      isLive = false;
    },
  };
}
