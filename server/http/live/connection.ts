/** One WebSocket connection: handles its frames in order, holds its subscriptions, and closes when the client reads too slowly. */
import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { CLOSE_CODES, type ClientFrame } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { can, type Actor } from "../../access/access.ts";
import type { LoggedEvent } from "../../events/log.ts";
import { createSerialQueue } from "../../lib/serial-queue.ts";
import { type Budget, createBudget } from "../budget.ts";
import { encode, parseFrame, POLICY_VIOLATION, TRY_AGAIN_LATER, withheldFrame } from "./frames.ts";
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
/** What a socket may send while its account is over its budget, so that one hostile tab does not close the others. */
const SOCKET_BUDGET = { capacity: 100, perSecond: 5, maxKeys: 1 };

export interface FrameTiming {
  /** Minimum interval between two reads of the same topic for one socket. */
  reopenMs: number;
  /** How long a frame waits whose account is over its budget. */
  overBudgetMs: number;
}

export interface ConnectionDeps extends LiveDeps, FrameTiming {
  subscribers: Subscribers;
  /** The frames that each account may send over all its sockets. */
  frames: Budget;
  /** Runs the reads of one account, over all its sockets, one after another. */
  read<T>(work: () => Promise<T>): Promise<T>;
}

export interface Connection extends SessionConnection {
  /** Pings the client, or terminates the socket if nothing arrived since the previous ping. */
  heartbeat(): void;
  terminate(): void;
  countSubscriptions(): number;
}

export function createConnection(
  socket: WebSocket,
  initialActor: Actor,
  userSession: UserSession,
  { hub, signals, subscribers, warn, frames, read, reopenMs, overBudgetMs }: ConnectionDeps,
): Connection {
  let actor = initialActor;
  let isAlive = true;
  let isEnded = false;
  const socketFrames = createBudget(SOCKET_BUDGET);
  /** When each topic was last read from the log for this socket, in order. */
  const openedAt = new Map<string, number>();
  let queue = Promise.resolve();
  const inOrder = createSerialQueue();
  const subscriptions = new Map<string, Subscription>();
  /** The types of events that the client asked for, by topic; undefined: all. */
  const wantedTypes = new Map<string, readonly string[] | undefined>();

  const subscriber: Subscriber = {
    accountId: userSession.accountId,
    canReceive: (topic, signal) => !isEnded && userSession.canReceiveSignal(topic, signal, actor),
    signal: (frame) => send(frame),
  };

  function unsubscribe(topic: string): void {
    subscriptions.get(topic)?.end();
    subscriptions.delete(topic);
    wantedTypes.delete(topic);
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

  /** Waits until the topic may be read again. Its events of the meantime are not lost, since the log has them. */
  async function waitToReopen(topic: string): Promise<void> {
    const waitMs = (openedAt.get(topic) ?? -Infinity) + reopenMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    openedAt.delete(topic);
    openedAt.set(topic, performance.now());
    if (openedAt.size > LIMITS.live_topics_per_socket) openedAt.delete(openedAt.keys().next().value as string);
  }

  async function subscribe({ topic, since, types }: { topic: string; since?: number | undefined; types?: string[] | undefined }): Promise<void> {
    if (subscriptions.get(topic)?.confirm(since)) {
      wantedTypes.set(topic, types);
      return subscribers.join(topic, subscriber);
    }
    unsubscribe(topic);
    await waitToReopen(topic);
    if (isEnded) return;
    await userSession.whenSettled();
    await read(() => userSession.loadTopic(topic, actor));
    if (isEnded) return;
    const denialReason = userSession.denialReason(topic, actor);
    if (denialReason) return denyTopic(topic, denialReason);
    if (subscriptions.size >= LIMITS.live_topics_per_socket) return denyTopic(topic, `A socket follows at most ${LIMITS.live_topics_per_socket} topics.`);
    const subscription = createSubscription({
      topic,
      hub: { ...hub, after: (...range) => read(() => hub.after(...range)), loadNewestSeq: (name) => read(() => hub.loadNewestSeq(name)) },
      whenSettled: userSession.whenSettled,
      isSettled: userSession.isSettled,
      send,
      deliver,
      frameFor: (event) => (wantedTypes.get(topic)?.includes(event.type) === false ? withheldFrame(event) : userSession.frameFor(event, actor)),
      checkRemoval: userSession.checkRemoval,
      inOrder,
      onError,
    });
    subscriptions.set(topic, subscription);
    wantedTypes.set(topic, types);
    // The catch-up is part of the socket's queue, so that a client has one at a time.
    const { caughtUp } = await subscription.open(since);
    if (!isEnded && subscriptions.get(topic) === subscription) subscribers.join(topic, subscriber);
    await caughtUp;
  }

  /** Emits a typing signal to other users who have the project open, if this socket is subscribed to it and can write there. */
  async function publishTyping(projectId: number): Promise<void> {
    const topic = `project:${projectId}`;
    await userSession.whenSettled();
    const canWrite = (actor.scopes === null || actor.scopes.includes("chat:write")) && can(actor, "chat.write");
    if (!subscriptions.has(topic) || !subscriber.canReceive(topic, "typing") || !canWrite || !subscribers.shouldSendTyping(topic, userSession.accountId))
      return;
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
    const isOverBudget = frames.spend(String(userSession.accountId)) > 0;
    if (isOverBudget && socketFrames.spend("") > 0) return end(POLICY_VIOLATION, "Too many frames.");
    const frame = parseFrame(data.toString());
    if (typeof frame === "string") return end(POLICY_VIOLATION, frame);
    if ("ping" in frame) return send(encode({ pong: frame.ping }));
    queue = queue
      .then(() => (isOverBudget && !isEnded ? sleep(overBudgetMs) : undefined))
      .then(() => handle(frame))
      .catch(onError);
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
    countSubscriptions: () => subscriptions.size,
  };
}
