/** Connects the live subscriber of a query cache to the browser. */
import type { Client, ClientData } from "../../client/client.ts";
import { ABNORMAL_CLOSURE, type LiveHandlers, type LiveSocket, openLiveSocket } from "../../api/live.ts";
import { readerKeys } from "../../queries/messages/read-state.ts";
import { projectQueries } from "../../queries/projects.ts";
import { invalidate } from "../../queries/query-client.ts";
import { sessionQueries } from "../../queries/session.ts";
import type { LiveContext } from "./event-handlers.ts";
import { pollMessages } from "./poll-messages.ts";
import { createSubscriber, type Subscriber } from "./subscriber.ts";

/** Delay before events are applied in hidden pages, which run no animation frames. */
const HIDDEN_FLUSH_MS = 100;

/** What applies events to the cache; it is not in the first load. */
type ApplyCode = Awaited<ReturnType<typeof loadApplyCode>>;

async function loadApplyCode() {
  const [{ applyEvents }, { handleSignal }, { invalidateSignaledData, invalidateTopic }] = await Promise.all([
    import("./apply-events.ts"),
    import("./event-handlers.ts"),
    import("./invalidate-topic.ts"),
  ]);
  return { applyEvents, handleSignal, invalidateSignaledData, invalidateTopic };
}

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
  let code: ApplyCode | null = null;
  const loadCode = () => loadApplyCode().then((loaded) => void (code = loaded));
  // Loads beside the session, so that the socket opens without waiting for it; `open` tries again.
  loadCode().catch(() => undefined);
  /** Returns what applies events, which has loaded before any arrives. */
  function loadedCode(): ApplyCode {
    if (!code) throw new Error("A live event arrived before the code that applies it");
    return code;
  }

  /** Opens a socket once events can be applied. If their code cannot be loaded, the connection counts as failed, so that messages are polled. */
  function open(handlers: LiveHandlers): LiveSocket {
    if (code) return openLiveSocket(client.api, handlers);
    let socket: LiveSocket | null = null;
    let isClosed = false;
    const end = () => {
      if (!isClosed) handlers.onClose(ABNORMAL_CLOSURE);
      isClosed = true;
    };
    loadCode().then(() => {
      if (!isClosed) socket = openLiveSocket(client.api, handlers);
    }, end);
    return { send: (frame) => socket?.send(frame), close: () => (socket ? socket.close() : end()) };
  }

  const subscriber: Subscriber = createSubscriber({
    cursors,
    open,
    apply(events) {
      const applied = loadedCode().applyEvents(context, cursors.all(), events);
      cursors.replace(applied.cursors);
      return applied.gaps;
    },
    signal: (signal) => loadedCode().handleSignal(context, signal, (topic) => subscriber.isFollowing(topic) && cursors.get(topic) !== undefined),
    invalidate: (topic) => loadedCode().invalidateTopic(client, topic),
    firstSubscribed: (topic) => loadedCode().invalidateSignaledData(client, topic),
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
