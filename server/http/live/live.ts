/** All sockets of this process, by person: lets them in, looks after them, and sees them off when the service stops. */
import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { CLOSE } from "../../../contract/events.ts";
import type { Actor } from "../../domain/access.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { TRY_AGAIN_LATER } from "./codes.ts";
import { createConnection, type Connection } from "./connection.ts";
import type { LiveDeps } from "./feed.ts";
import { createFollowers } from "./followers.ts";
import { signalFrame } from "./frames.ts";
import { createViewer, type Viewer } from "./viewer.ts";

export interface LiveTiming {
  /** A socket that answers no ping for this long is dropped. */
  heartbeatMs: number;
  /** How often rights are looked up though nothing was heard: what merely expires makes no event. */
  recheckMs: number;
}
export const LIVE_TIMING: LiveTiming = { heartbeatMs: 25 * SECOND, recheckMs: MINUTE };

export const SOCKETS_PER_ACCOUNT = 50;
/** How long sockets get to say good-bye. */
const FAREWELL_MS = 500;

export type Live = ReturnType<typeof createLive>;

export function createLive(deps: LiveDeps, { heartbeatMs, recheckMs }: LiveTiming = LIVE_TIMING) {
  const viewers = new Map<number, Viewer>();
  const connections = new Set<Connection>();
  const followers = createFollowers();
  let closing = false;

  async function recheck(): Promise<void> {
    for (const viewer of viewers.values()) await viewer.refresh({ hold: false });
    if (!closing) rechecking = setTimeout(() => void recheck(), recheckMs).unref();
  }
  let rechecking = setTimeout(() => void recheck(), recheckMs).unref();
  const heartbeat = setInterval(() => {
    for (const connection of connections) connection.beat();
  }, heartbeatMs).unref();

  deps.feed.onDoubt(() => {
    for (const viewer of viewers.values()) void viewer.refresh({ hold: true });
  });

  deps.words.onWord(({ type, projectId, accountId, data }) => followers.tell(`project:${projectId}`, signalFrame(type, data), accountId));

  return {
    isFull: (accountId: number): boolean => (viewers.get(accountId)?.watchers.size ?? 0) >= SOCKETS_PER_ACCOUNT,
    accept(socket: WebSocket, actor: Actor): void {
      if (closing) {
        socket.close(CLOSE.goingAway, "The service is stopping.");
        socket.terminate();
        return;
      }
      const { accountId } = actor;
      let viewer = viewers.get(accountId);
      if (!viewer) viewers.set(accountId, (viewer = createViewer(actor, deps)));
      const theirs = viewer;
      // Several may have been let through to the upgrade at once.
      if (theirs.watchers.size >= SOCKETS_PER_ACCOUNT) return socket.close(TRY_AGAIN_LATER, "Too many connections of one account.");
      const connection = createConnection(socket, actor, theirs, { ...deps, followers });
      connections.add(connection);
      socket.on("close", () => {
        connections.delete(connection);
        theirs.remove(connection);
        if (theirs.watchers.size === 0 && viewers.get(accountId) === theirs) viewers.delete(accountId);
      });
      theirs.add(connection);
    },
    /** Tells every socket that the service stops, and drops those that do not answer. */
    async close(): Promise<void> {
      closing = true;
      clearInterval(heartbeat);
      clearTimeout(rechecking);
      for (const connection of connections) connection.end(CLOSE.goingAway, "The service is stopping.");
      for (let waited = 0; connections.size > 0 && waited < FAREWELL_MS; waited += 20) await sleep(20);
      for (const connection of connections) connection.terminate();
      followers.close();
    },
  };
}
