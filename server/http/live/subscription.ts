/**
 * One topic on one socket: first from the log, then as it happens, without hole or double in between.
 * Nothing is buffered: while it catches up it passes over what happens and reads that from the log as well.
 */
import { LIMITS } from "../../../contract/limits.ts";
import type { Feed, Happening } from "./feed.ts";
import { encode } from "./frames.ts";

const PAGE = 100;

export interface SubscriptionDeps {
  topic: string;
  feed: Feed;
  /** Resolves when no check of the rights is under way. */
  settled(): Promise<void>;
  isSettled(): boolean;
  send(frame: Buffer): void;
  /** Sends; when much waits already, resolves once it is on its way. */
  deliver(frame: Buffer): Promise<void> | undefined;
  eventFor(happening: Happening): Buffer;
  failed(error: unknown): void;
}

export type Subscription = ReturnType<typeof createSubscription>;

export function createSubscription({ topic, feed, settled, isSettled, send, deliver, eventFor, failed }: SubscriptionDeps) {
  /** The newest `seq` that was sent. */
  let cursor = 0;
  let live = false;
  let opened = false;
  let catchingUp = false;
  let ended = false;

  function startOver(seq: number): void {
    cursor = seq;
    send(encode({ reset: { topic, seq } }));
  }

  async function catchUp(): Promise<void> {
    if (catchingUp || ended) return;
    catchingUp = true;
    try {
      for (let readToEnd = false; ;) {
        await settled();
        if (ended) return;
        const head = feed.head(topic);
        if (readToEnd && head <= cursor) {
          live = true;
          feed.reached(topic, cursor);
          return;
        }
        if (head - cursor > LIMITS.live_catch_up_events) startOver(head);
        const page = await feed.after(topic, cursor, PAGE);
        readToEnd = page.length < PAGE;
        // Pruned meanwhile, or gone with a copy that was put back. `head` is from before reading: later ones need not be in the page.
        if (page.length > 0 ? page[0]?.seq !== cursor + 1 : head > cursor) {
          startOver(Math.max(await feed.newest(topic), feed.head(topic)));
          continue;
        }
        for (const happening of page) {
          // The right to it may just have ended: ask before sending more.
          if (ended || !isSettled()) {
            readToEnd = false;
            break;
          }
          cursor = happening.seq;
          await deliver(eventFor(happening));
        }
      }
    } catch (error) {
      failed(error);
    } finally {
      catchingUp = false;
    }
  }

  return {
    /** Begins after `since`, or now. Answers `subscribed`, or `reset` where that is too far back. */
    async open(since: number | undefined): Promise<void> {
      const newest = Math.max(await feed.newest(topic), feed.head(topic));
      const behind = newest - (since ?? newest);
      const [next] = behind > 0 && behind <= LIMITS.live_catch_up_events ? await feed.after(topic, newest - behind, 1) : [];
      await settled();
      if (ended) return;
      if (behind === 0 || next?.seq === newest - behind + 1) {
        cursor = newest - behind;
        send(encode({ subscribed: { topic, seq: newest } }));
      } else startOver(newest);
      opened = true;
      void catchUp();
    },
    offer(happening: Happening): void {
      if (!live || happening.seq <= cursor) return;
      if (happening.seq === cursor + 1) {
        cursor = happening.seq;
        send(eventFor(happening));
        return;
      }
      live = false;
      void catchUp();
    },
    /** Sends nothing more until `resume`. */
    hold(): void {
      live = false;
    },
    resume(): void {
      if (opened && !live) void catchUp();
    },
    end(): void {
      ended = true;
      live = false;
    },
  };
}
