/** Manages all live connections of this process by account: accepts them, checks them periodically, and closes them at shutdown. */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { CLOSE_CODES } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Actor } from "../../access/access.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { createSerialQueue } from "../../lib/serial-queue.ts";
import { createBudget } from "../budget.ts";
import { createConnection, type Connection, type FrameTiming } from "./connection.ts";
import { TRY_AGAIN_LATER } from "./frames.ts";
import type { LiveDeps } from "./live-deps.ts";
import type { RemotePresenceOptions } from "./remote-presence.ts";
import { createSubscribers } from "./subscribers.ts";
import { createUserSession, type UserSession } from "./user-session.ts";

export interface LiveTiming extends FrameTiming {
  /** Ping interval; a socket that sends nothing for a whole interval is terminated. */
  heartbeatMs: number;
  /** How often permissions are reloaded even without an event, since an expiry emits none. */
  recheckMs: number;
  /** Of the exchange of presence with other processes. */
  presenceTiming?: RemotePresenceOptions["timing"];
}
export const LIVE_TIMING: LiveTiming = { heartbeatMs: 25 * SECOND, recheckMs: MINUTE, reopenMs: SECOND, overBudgetMs: SECOND };

export const MAX_SOCKETS_PER_ACCOUNT = 50;
/** How long sockets have to complete the closing handshake at shutdown. */
const CLOSE_GRACE_MS = 500;

/** Client frames of one account. The capacity lets six tabs subscribe to as many topics as a socket can follow, all at once after a reconnect. */
const FRAME_BUDGET = { capacity: 6 * LIMITS.live_topics_per_socket, perSecond: 50, maxKeys: 10_000 };

/** Runs reads one after another, each in its own turn of the event loop, so that many of them leave time for other requests. */
function createReadQueue() {
  const inOrder = createSerialQueue();
  return <T>(work: () => Promise<T>): Promise<T> => inOrder(() => nextTurn().then(work));
}

export type Live = ReturnType<typeof createLive>;

export function createLive(deps: LiveDeps, timing: Partial<LiveTiming> = {}) {
  const { heartbeatMs, recheckMs, reopenMs, overBudgetMs, presenceTiming } = { ...LIVE_TIMING, ...timing };
  const userSessions = new Map<number, UserSession>();
  const readQueues = new WeakMap<UserSession, ReturnType<typeof createReadQueue>>();
  const frames = createBudget(FRAME_BUDGET);
  const connections = new Set<Connection>();
  const subscribers = createSubscribers(deps.peers, presenceTiming);
  let isClosing = false;

  async function recheck(): Promise<void> {
    for (const userSession of userSessions.values()) await userSession.refresh({ pause: false });
    if (!isClosing) recheckTimer = setTimeout(() => void recheck(), recheckMs).unref();
  }
  let recheckTimer = setTimeout(() => void recheck(), recheckMs).unref();
  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.heartbeat();
  }, heartbeatMs).unref();

  deps.hub.onMissedEvents(() => {
    for (const userSession of userSessions.values()) void userSession.refresh({ pause: true });
    subscribers.resync();
  });

  deps.signals.onSignal(({ type, projectId, accountId, data }) => {
    // The hub sends the progress of files to all who see the project.
    if (type !== "file.progress") subscribers.broadcast(`project:${projectId}`, type, data, accountId);
  });

  return {
    hasReachedSocketLimit: (accountId: number): boolean => (userSessions.get(accountId)?.connections.size ?? 0) >= MAX_SOCKETS_PER_ACCOUNT,
    accept(socket: WebSocket, actor: Actor): void {
      if (isClosing) {
        socket.close(CLOSE_CODES.goingAway, "The service is stopping.");
        socket.terminate();
        return;
      }
      const { accountId } = actor;
      let userSession = userSessions.get(accountId);
      if (!userSession) userSessions.set(accountId, (userSession = createUserSession(actor, deps)));
      const session = userSession;
      const read = readQueues.get(session) ?? createReadQueue();
      readQueues.set(session, read);
      // Concurrent requests can pass the check before the upgrade together.
      if (session.connections.size >= MAX_SOCKETS_PER_ACCOUNT) return socket.close(TRY_AGAIN_LATER, "Too many connections of one account.");
      const connection = createConnection(socket, actor, session, { ...deps, subscribers, frames, read, reopenMs, overBudgetMs });
      connections.add(connection);
      socket.on("close", () => {
        connections.delete(connection);
        session.remove(connection);
        if (session.connections.size === 0 && userSessions.get(accountId) === session) userSessions.delete(accountId);
      });
      session.add(connection);
    },
    count(): { sockets: number; subscriptions: number } {
      return { sockets: connections.size, subscriptions: [...connections].reduce((sum, connection) => sum + connection.countSubscriptions(), 0) };
    },
    /** Closes every socket with `goingAway` and terminates those that do not complete the handshake in time. */
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(heartbeat);
      clearTimeout(recheckTimer);
      for (const connection of connections) connection.end(CLOSE_CODES.goingAway, "The service is stopping.");
      for (let waitedMs = 0; connections.size > 0 && waitedMs < CLOSE_GRACE_MS; waitedMs += 20) await sleep(20);
      for (const connection of connections) connection.terminate();
      subscribers.close();
    },
  };
}
