/**
 * Connects the live subscriber of a query cache to the browser, and applies live events to the cache: each event once, in its topic's order, by the
 * same updates as responses.
 */
import type { LiveEvent } from "../../../contract/events.ts";
import type { Client, ClientData } from "../../client/client.ts";
import { openLiveSocket } from "../../api/live.ts";
import { readerKeys } from "../../queries/messages/read-state.ts";
import { projectQueries } from "../../queries/projects.ts";
import { invalidate } from "../../queries/query-client.ts";
import { sessionQueries } from "../../queries/session.ts";
import { handleEvent, handleSignal, invalidateSignaledData, invalidateTopic, type LiveContext } from "./event-handlers.ts";
import { pollMessages } from "./poll-messages.ts";
import { createSubscriber, type Subscriber } from "./subscriber.ts";

/** Delay before events are applied in hidden pages, which run no animation frames. */
const HIDDEN_FLUSH_MS = 100;

/** Creates the subscriber of a client, which stays idle until `startLiveUpdates`. */
export function createLiveSubscriber(client: ClientData, { presence, outbox, uploads }: Pick<Client, "presence" | "outbox" | "uploads">): Subscriber {
  const { cursors } = client.queryState;
  const context: LiveContext = {
    client: { ...client, presence },
    get accountId() {
      return client.queryClient.getQueryData(sessionQueries.current().queryKey)?.account.id ?? 0;
    },
    isViewingChat: (projectId) => client.queryState.viewedProjectIds.has(projectId),
  };
  const subscriber: Subscriber = createSubscriber({
    cursors,
    open: (handlers) => openLiveSocket(client.api, handlers),
    apply(events) {
      const applied = applyEvents(context, cursors.all(), events);
      cursors.replace(applied.cursors);
      return applied.gaps;
    },
    signal: (signal) => handleSignal(context, signal, (topic) => subscriber.isFollowing(topic) && cursors.get(topic) !== undefined),
    invalidate: (topic) => invalidateTopic(client, topic),
    firstSubscribed: (topic) => invalidateSignaledData(client, topic),
    // With a token that the service refuses, every request would be refused.
    poll: async (topics) => (client.api.isTokenRefused.get() ? undefined : pollMessages(client, topics)),
    reconnected() {
      invalidate(client, projectQueries.all().queryKey, true);
      invalidate(client, readerKeys.all);
    },
    signedOut: () => void client.queryClient.invalidateQueries({ queryKey: sessionQueries.current().queryKey }),
    now: Date.now,
    random: Math.random,
    nextFrame(run) {
      let hasRun = false;
      const runOnce = () => {
        if (hasRun) return;
        hasRun = true;
        run();
      };
      requestAnimationFrame(runOnce);
      setTimeout(runOnce, HIDDEN_FLUSH_MS);
    },
  });
  // Pending messages, uploads and failed loads resume as soon as the service is reachable again.
  let phase = subscriber.get().phase;
  subscriber.subscribe(() => {
    const { phase: nextPhase } = subscriber.get();
    if (phase === "live" && nextPhase !== "live") presence.clear();
    if (nextPhase !== phase && (nextPhase === "live" || nextPhase === "polling")) {
      outbox.wake();
      uploads.wake();
      client.recovery.reached();
    } else if (nextPhase !== phase) client.recovery.lost();
    phase = nextPhase;
  });
  return subscriber;
}

/** Keeps the cache of a signed-in account current until the returned function is called. */
export function startLiveUpdates(client: Client, user: { accountId: number; organisationId: number }): () => void {
  const { live: subscriber, outbox, uploads } = client;
  const unfollow = [subscriber.follow(`account:${user.accountId}`), subscriber.follow(`organisation:${user.organisationId}`)];
  // A refused token is not sent again before another one replaces it, which wakes the subscriber itself.
  const wake = () => void (client.api.isTokenRefused.get() || subscriber.wake());
  const onOffline = () => subscriber.networkLost();
  const onVisibilityChange = () => document.visibilityState === "visible" && wake();
  addEventListener("online", wake);
  addEventListener("offline", onOffline);
  document.addEventListener("visibilitychange", onVisibilityChange);
  let isStopped = false;
  void Promise.all([outbox.switchAccount(user.accountId), uploads.switchAccount(user.accountId)]).then(() => {
    // The outbox and the upload queue may belong to another account by now.
    if (isStopped) return;
    uploads.reconcile(new Set(outbox.entries().map(({ clientId }) => clientId)));
    outbox.wakeReady();
  });
  subscriber.start();
  return () => {
    isStopped = true;
    removeEventListener("online", wake);
    removeEventListener("offline", onOffline);
    document.removeEventListener("visibilitychange", onVisibilityChange);
    for (const stop of unfollow) stop();
    subscriber.stop();
  };
}

interface OrderedEvents {
  ready: readonly LiveEvent[];
  cursors: ReadonlyMap<string, number>;
  /** Topics with missing events, which must be requested again from their cursor. */
  gaps: ReadonlySet<string>;
}

/**
 * Selects the events that are next in order. An event that was applied before is dropped; one that is too early is dropped too and its topic
 * is reported as a gap, since catching up from the cursor delivers both. Events of topics without a cursor are ignored.
 */
export function applyInOrder(cursors: ReadonlyMap<string, number>, events: readonly LiveEvent[]): OrderedEvents {
  const nextCursors = new Map(cursors);
  const ready: LiveEvent[] = [];
  const gaps = new Set<string>();
  for (const event of events.toSorted((a, b) => a.seq - b.seq)) {
    const lastSeq = nextCursors.get(event.topic);
    if (lastSeq === undefined || event.seq <= lastSeq) continue;
    if (event.seq > lastSeq + 1) {
      gaps.add(event.topic);
      continue;
    }
    nextCursors.set(event.topic, event.seq);
    ready.push(event);
  }
  return { ready, cursors: nextCursors, gaps };
}

/** Applies a batch to the cache and returns the new cursors and the gaps. */
export function applyEvents(context: LiveContext, cursors: ReadonlyMap<string, number>, events: readonly LiveEvent[]): Omit<OrderedEvents, "ready"> {
  const { ready, ...result } = applyInOrder(cursors, events);
  for (const event of ready) handleEvent(context, event);
  return result;
}
