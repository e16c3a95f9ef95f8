/** One socket: reads its frames in order, keeps its subscriptions, and lets go of it when it reads too slowly. */
import type { WebSocket } from "ws";
import { CLOSE, type ClientFrame } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { can, type Actor } from "../../domain/access.ts";
import { POLICY_VIOLATION, TRY_AGAIN_LATER } from "./codes.ts";
import type { Happening, LiveDeps } from "./feed.ts";
import type { Follower, Followers } from "./followers.ts";
import { encode, readFrame } from "./frames.ts";
import { createSubscription, type Subscription } from "./subscription.ts";
import type { Viewer, Watcher } from "./viewer.ts";

/** A socket for which more than this waits is let go: its client comes back and catches up. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Catching up pauses above this. */
const CALM_BYTES = 256 * 1024;
/** How long a closing handshake may take. */
const CLOSING_MS = 5_000;
/** Frames a client may send in each window. */
const FRAME_WINDOW_MS = 10_000;
const FRAMES_PER_WINDOW = 3 * LIMITS.live_topics_per_socket;

export interface Connection extends Watcher {
  /** Pings; a socket that answered nothing since the last time is dead. */
  beat(): void;
  terminate(): void;
}

export function createConnection(
  socket: WebSocket,
  first: Actor,
  viewer: Viewer,
  { feed, words, followers, warn }: LiveDeps & { followers: Followers },
): Connection {
  let actor = first;
  let alive = true;
  let ended = false;
  let framesInWindow = 0;
  let windowEnds = 0;
  let queue = Promise.resolve();
  const subscriptions = new Map<string, Subscription>();

  const follower: Follower = {
    accountId: viewer.accountId,
    mayHear: (topic) => !ended && viewer.refusal(topic, actor) === null,
    signal: (frame) => send(frame),
  };

  function drop(topic: string): void {
    subscriptions.get(topic)?.end();
    subscriptions.delete(topic);
    followers.leave(topic, follower);
  }

  function end(code: number, reason: string): void {
    if (ended) return;
    ended = true;
    for (const topic of subscriptions.keys()) drop(topic);
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), CLOSING_MS).unref();
  }

  function failed(error: unknown): void {
    warn(error, "a live connection failed");
    end(TRY_AGAIN_LATER, "The service cannot answer right now. Reconnect soon.");
  }

  function send(frame: Buffer): void {
    if (ended) return;
    socket.send(frame, { binary: false });
    if (socket.bufferedAmount > MAX_WAITING_BYTES) end(CLOSE.tooSlow, "You read too slowly. Reconnect and catch up.");
  }

  function deliver(frame: Buffer): Promise<void> | undefined {
    if (ended || socket.bufferedAmount <= CALM_BYTES) return void send(frame);
    return new Promise((resolve) => socket.send(frame, { binary: false }, () => resolve()));
  }

  function refuse(topic: string, reason: string): void {
    drop(topic);
    send(encode({ refused: { topic, reason } }));
  }

  async function subscribe({ topic, since }: { topic: string; since?: number | undefined }): Promise<void> {
    drop(topic);
    await viewer.settled();
    await viewer.lookFor(topic, actor);
    if (ended) return;
    const refusal = viewer.refusal(topic, actor);
    if (refusal) return refuse(topic, refusal);
    if (subscriptions.size >= LIMITS.live_topics_per_socket) return refuse(topic, `A socket follows at most ${LIMITS.live_topics_per_socket} topics.`);
    const subscription = createSubscription({
      topic,
      feed,
      settled: viewer.settled,
      isSettled: viewer.isSettled,
      send,
      deliver,
      eventFor: (happening) => viewer.eventFor(happening, actor),
      failed,
    });
    subscriptions.set(topic, subscription);
    await subscription.open(since);
    if (!ended && subscriptions.get(topic) === subscription) followers.join(topic, follower);
  }

  /** Told only to others who have the project open, and only where this socket has it open too and may write there. */
  async function typing(projectId: number): Promise<void> {
    const topic = `project:${projectId}`;
    await viewer.settled();
    const mayWrite = (actor.scopes === null || actor.scopes.includes("chat:write")) && can(actor, "chat.write");
    if (!subscriptions.has(topic) || !follower.mayHear(topic) || !mayWrite || !followers.mayType(topic, viewer.accountId)) return;
    words.say({ type: "typing", projectId, accountId: viewer.accountId, data: { project_id: projectId, account_id: viewer.accountId } });
  }

  async function handle(frame: ClientFrame): Promise<void> {
    if (ended) return;
    if ("subscribe" in frame) return subscribe(frame.subscribe);
    if ("typing" in frame) return typing(frame.typing.project_id);
    if ("unsubscribe" in frame) drop(frame.unsubscribe.topic);
  }

  /** Bounds the queue and what a client can make the database do. */
  function tooMany(): boolean {
    const now = performance.now();
    if (now > windowEnds) [framesInWindow, windowEnds] = [0, now + FRAME_WINDOW_MS];
    framesInWindow += 1;
    return framesInWindow > FRAMES_PER_WINDOW;
  }

  socket.on("message", (data: Buffer, isBinary: boolean) => {
    alive = true;
    if (ended) return;
    if (isBinary) return end(POLICY_VIOLATION, "Only text frames are understood.");
    if (tooMany()) return end(POLICY_VIOLATION, "Too many frames.");
    const frame = readFrame(data.toString());
    if (typeof frame === "string") return end(POLICY_VIOLATION, frame);
    if ("ping" in frame) return send(encode({ pong: frame.ping }));
    queue = queue.then(() => handle(frame)).catch(failed);
  });
  socket.on("pong", () => {
    alive = true;
  });
  socket.on("close", () => {
    ended = true;
    for (const topic of subscriptions.keys()) drop(topic);
  });

  return {
    actor: () => actor,
    renew(next) {
      actor = next;
    },
    offer: (happening: Happening) => subscriptions.get(happening.topic)?.offer(happening),
    signal: send,
    hold() {
      for (const subscription of subscriptions.values()) subscription.hold();
    },
    review() {
      for (const [topic, subscription] of subscriptions) {
        const refusal = viewer.refusal(topic, actor);
        if (refusal) refuse(topic, refusal);
        else subscription.resume();
      }
    },
    end,
    beat() {
      if (!alive) return socket.terminate();
      alive = false;
      if (!ended) socket.ping();
    },
    terminate: () => socket.terminate(),
  };
}
