/** One WebSocket connection: handles its frames in order, holds its subscriptions, and closes when the client reads too slowly. */
import type { WebSocket } from "ws";
import { CLOSE_CODES, type ClientFrame } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { can, type Actor } from "../../access/access.ts";
import type { LoggedEvent } from "../../events/log.ts";
import { encode, parseFrame, POLICY_VIOLATION, TRY_AGAIN_LATER } from "./frames.ts";
import type { LiveDeps } from "./live-deps.ts";
import type { Subscriber, Subscribers } from "./subscribers.ts";
import { createSubscription, type Subscription } from "./subscription.ts";
import type { UserSession, SessionConnection } from "./user-session.ts";

/** A socket with more unsent bytes than this is closed; its client reconnects and catches up. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Catching up pauses while more unsent bytes than this are buffered. */
const MAX_CATCH_UP_BUFFERED_BYTES = 256 * 1024;
/** Time limit for the closing handshake. */
const CLOSE_TIMEOUT_MS = 5_000;
/** Time window for the limit on client frames. */
const FRAME_WINDOW_MS = 10_000;
const MAX_FRAMES_PER_WINDOW = 3 * LIMITS.live_topics_per_socket;

export interface Connection extends SessionConnection {
  /** Pings the client, or terminates the socket if nothing arrived since the previous ping. */
  heartbeat(): void;
  terminate(): void;
}

/** Returns a function that counts a frame and returns whether the client has sent too many; it bounds the queue and the database load of one client. */
function createFrameLimit(): () => boolean {
  let frameCount = 0;
  let windowEndsAt = 0;
  return () => {
    const now = performance.now();
    if (now > windowEndsAt) [frameCount, windowEndsAt] = [0, now + FRAME_WINDOW_MS];
    frameCount += 1;
    return frameCount > MAX_FRAMES_PER_WINDOW;
  };
}

export function createConnection(
  socket: WebSocket,
  initialActor: Actor,
  userSession: UserSession,
  { hub, signals, subscribers, warn }: LiveDeps & { subscribers: Subscribers },
): Connection {
  let actor = initialActor;
  let isAlive = true;
  let isEnded = false;
  const isOverFrameLimit = createFrameLimit();
  let queue = Promise.resolve();
  const subscriptions = new Map<string, Subscription>();

  const subscriber: Subscriber = {
    accountId: userSession.accountId,
    canReceive: (topic) => !isEnded && userSession.denialReason(topic, actor) === null,
    signal: (frame) => send(frame),
  };

  function unsubscribe(topic: string): void {
    subscriptions.get(topic)?.end();
    subscriptions.delete(topic);
    subscribers.leave(topic, subscriber);
  }

  function end(code: number, reason: string): void {
    if (isEnded) return;
    isEnded = true;
    for (const topic of subscriptions.keys()) unsubscribe(topic);
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  function onError(error: unknown): void {
    warn(error, "a live connection failed");
    end(TRY_AGAIN_LATER, "The service is unavailable right now. Reconnect soon.");
  }

  function send(frame: Buffer): void {
    if (isEnded) return;
    socket.send(frame, { binary: false });
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) end(CLOSE_CODES.tooSlow, "You read too slowly. Reconnect and catch up.");
  }

  function deliver(frame: Buffer): Promise<void> | undefined {
    if (isEnded || socket.bufferedAmount <= MAX_CATCH_UP_BUFFERED_BYTES) return void send(frame);
    return new Promise((resolve) => socket.send(frame, { binary: false }, () => resolve()));
  }

  function denyTopic(topic: string, reason: string): void {
    unsubscribe(topic);
    send(encode({ refused: { topic, reason } }));
  }

  async function subscribe({ topic, since }: { topic: string; since?: number | undefined }): Promise<void> {
    unsubscribe(topic);
    await userSession.whenSettled();
    await userSession.loadTopic(topic, actor);
    if (isEnded) return;
    const denialReason = userSession.denialReason(topic, actor);
    if (denialReason) return denyTopic(topic, denialReason);
    if (subscriptions.size >= LIMITS.live_topics_per_socket) return denyTopic(topic, `A socket follows at most ${LIMITS.live_topics_per_socket} topics.`);
    const subscription = createSubscription({
      topic,
      hub,
      whenSettled: userSession.whenSettled,
      isSettled: userSession.isSettled,
      send,
      deliver,
      frameFor: (event) => userSession.frameFor(event, actor),
      onError,
    });
    subscriptions.set(topic, subscription);
    await subscription.open(since);
    if (!isEnded && subscriptions.get(topic) === subscription) subscribers.join(topic, subscriber);
  }

  /** Emits a typing signal to other users who have the project open, if this socket is subscribed to it and can write there. */
  async function publishTyping(projectId: number): Promise<void> {
    const topic = `project:${projectId}`;
    await userSession.whenSettled();
    const canWrite = (actor.scopes === null || actor.scopes.includes("chat:write")) && can(actor, "chat.write");
    if (!subscriptions.has(topic) || !subscriber.canReceive(topic) || !canWrite || !subscribers.shouldSendTyping(topic, userSession.accountId)) return;
    signals.emit({ type: "typing", projectId, accountId: userSession.accountId, data: { project_id: projectId, account_id: userSession.accountId } });
  }

  async function handle(frame: ClientFrame): Promise<void> {
    if (isEnded) return;
    if ("subscribe" in frame) return subscribe(frame.subscribe);
    if ("typing" in frame) return publishTyping(frame.typing.project_id);
    if ("unsubscribe" in frame) unsubscribe(frame.unsubscribe.topic);
  }

  function onMessage(data: Buffer, isBinary: boolean): void {
    isAlive = true;
    if (isEnded) return;
    if (isBinary) return end(POLICY_VIOLATION, "Only text frames are understood.");
    if (isOverFrameLimit()) return end(POLICY_VIOLATION, "Too many frames.");
    const frame = parseFrame(data.toString());
    if (typeof frame === "string") return end(POLICY_VIOLATION, frame);
    if ("ping" in frame) return send(encode({ pong: frame.ping }));
    queue = queue.then(() => handle(frame)).catch(onError);
  }

  socket.on("message", onMessage);
  socket.on("pong", () => {
    isAlive = true;
  });
  socket.on("close", () => {
    isEnded = true;
    for (const topic of subscriptions.keys()) unsubscribe(topic);
  });

  return {
    actor: () => actor,
    updateActor(next) {
      actor = next;
    },
    publish: (event: LoggedEvent) => subscriptions.get(event.topic)?.publish(event),
    signal: send,
    pause() {
      for (const subscription of subscriptions.values()) subscription.pause();
    },
    revalidate() {
      for (const [topic, subscription] of subscriptions) {
        const denialReason = userSession.denialReason(topic, actor);
        if (denialReason) denyTopic(topic, denialReason);
        else subscription.resume();
      }
    },
    end,
    heartbeat() {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (!isEnded) socket.ping();
    },
    terminate: () => socket.terminate(),
  };
}
