/**
 * One topic on one socket: first from the log, then as it happens, without hole or double in between.
 * Nothing is buffered: while it catches up it passes over what happens and reads that from the log as well.
 */
import { LIMITS } from "../../../contract/limits.ts";
import type { LiveEventSource, LiveEvent } from "./feed.ts";
import { encode } from "./frames.ts";

const PAGE_SIZE = 100;

export interface SubscriptionDeps {
  topic: string;
  eventSource: LiveEventSource;
  /** Resolves when no check of the rights is under way. */
  whenSettled(): Promise<void>;
  isSettled(): boolean;
  send(frame: Buffer): void;
  /** Sends; when much waits already, resolves once it is on its way. */
  deliver(frame: Buffer): Promise<void> | undefined;
  frameFor(liveEvent: LiveEvent): Buffer;
  onError(error: unknown): void;
}

export type Subscription = ReturnType<typeof createSubscription>;

export function createSubscription({ topic, eventSource, whenSettled, isSettled, send, deliver, frameFor, onError }: SubscriptionDeps) {
  /** The newest `seq` that was sent. */
  let cursor = 0;
  let isLive = false;
  let isOpen = false;
  let isCatchingUp = false;
  let isEnded = false;

  function resetTo(seq: number): void {
    cursor = seq;
    send(encode({ reset: { topic, seq } }));
  }

  async function catchUp(): Promise<void> {
    if (isCatchingUp || isEnded) return;
    isCatchingUp = true;
    try {
      for (let reachedEnd = false; ;) {
        await whenSettled();
        if (isEnded) return;
        const head = eventSource.head(topic);
        if (reachedEnd && head <= cursor) {
          isLive = true;
          eventSource.reached(topic, cursor);
          return;
        }
        if (head - cursor > LIMITS.live_catch_up_events) resetTo(head);
        const page = await eventSource.after(topic, cursor, PAGE_SIZE);
        reachedEnd = page.length < PAGE_SIZE;
        // Pruned meanwhile, or gone with a copy that was put back. `head` is from before reading: later ones need not be in the page.
        if (page.length > 0 ? page[0]?.seq !== cursor + 1 : head > cursor) {
          resetTo(Math.max(await eventSource.newest(topic), eventSource.head(topic)));
          continue;
        }
        for (const liveEvent of page) {
          // The right to it may just have ended: ask before sending more.
          if (isEnded || !isSettled()) {
            reachedEnd = false;
            break;
          }
          cursor = liveEvent.seq;
          await deliver(frameFor(liveEvent));
        }
      }
    } catch (error) {
      onError(error);
    } finally {
      isCatchingUp = false;
    }
  }

  return {
    /** Begins after `since`, or now. Answers `subscribed`, or `reset` where that is too far back. */
    async open(since: number | undefined): Promise<void> {
      const newest = Math.max(await eventSource.newest(topic), eventSource.head(topic));
      const missedCount = newest - (since ?? newest);
      const [next] = missedCount > 0 && missedCount <= LIMITS.live_catch_up_events ? await eventSource.after(topic, newest - missedCount, 1) : [];
      await whenSettled();
      if (isEnded) return;
      if (missedCount === 0 || next?.seq === newest - missedCount + 1) {
        cursor = newest - missedCount;
        send(encode({ subscribed: { topic, seq: newest } }));
      } else resetTo(newest);
      isOpen = true;
      void catchUp();
    },
    publish(liveEvent: LiveEvent): void {
      if (!isLive || liveEvent.seq <= cursor) return;
      if (liveEvent.seq === cursor + 1) {
        cursor = liveEvent.seq;
        send(frameFor(liveEvent));
        return;
      }
      isLive = false;
      void catchUp();
    },
    /** Sends nothing more until `resume`. */
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
