/** The live subscriber that keeps a query cache current, wired to the browser. */
import type { QueryClient } from "@tanstack/react-query";
import { openLive } from "../../api/live.ts";
import { pollMessages } from "../messages/poll.ts";
import { nearbyOf } from "../nearby/nearby.ts";
import { outboxOf } from "../outbox/outbox-of.ts";
import { projectQueries } from "../projects/options.ts";
import { readerKeys } from "../readers/keys.ts";
import { sessionQueries } from "../session/options.ts";
import { uploadsOf } from "../uploads/lazy-uploads.ts";
import { applyEvents } from "./apply-events.ts";
import { cursorsOf } from "./cursors.ts";
import { handleSignal, renewTopic, type LiveContext } from "./handlers.ts";
import { seenProjects } from "./seen.ts";
import { createSubscriber, type Subscriber } from "./subscriber.ts";

const perClient = new WeakMap<QueryClient, Subscriber>();
/** Hidden pages draw no frames. */
const HIDDEN_FLUSH_MS = 100;

/** The subscriber of a query cache. It rests until `startLive`. */
export function liveOf(client: QueryClient): Subscriber {
  const known = perClient.get(client);
  if (known) return known;
  const cursors = cursorsOf(client);
  const context: LiveContext = {
    client,
    get accountId() {
      return client.getQueryData(sessionQueries.current().queryKey)?.account.id ?? 0;
    },
    isSeen: (projectId) => seenProjects.has(projectId),
  };
  const subscriber: Subscriber = createSubscriber({
    cursors,
    open: openLive,
    apply(events) {
      const applied = applyEvents(context, cursors.all(), events);
      cursors.replace(applied.cursors);
      return applied.gaps;
    },
    signal: (signal) => handleSignal(context, signal, (topic) => subscriber.follows(topic)),
    renew: (topic) => renewTopic(client, topic),
    poll: (topics) => pollMessages(client, topics),
    returned() {
      void client.invalidateQueries({ queryKey: projectQueries.all().queryKey, exact: true });
      void client.invalidateQueries({ queryKey: readerKeys.all });
    },
    signedOut: () => void client.invalidateQueries({ queryKey: sessionQueries.current().queryKey }),
    now: Date.now,
    random: Math.random,
    nextFrame(run) {
      let ran = false;
      const once = () => {
        if (ran) return;
        ran = true;
        run();
      };
      requestAnimationFrame(once);
      setTimeout(once, HIDDEN_FLUSH_MS);
    },
  });
  // What waits goes out as soon as the service is there again.
  let phase = subscriber.state().phase;
  subscriber.onChange(() => {
    const { phase: now } = subscriber.state();
    if (phase === "live" && now !== "live") nearbyOf(client).clear();
    if (now !== phase && (now === "live" || now === "polling")) {
      outboxOf(client).wake();
      uploadsOf(client).wake();
    }
    phase = now;
  });
  perClient.set(client, subscriber);
  return subscriber;
}

/** Keeps the cache of a signed-in person current until the returned function is called. */
export function startLive(client: QueryClient, person: { accountId: number; organisationId: number }): () => void {
  const live = liveOf(client);
  const unfollow = [live.follow(`account:${person.accountId}`), live.follow(`organisation:${person.organisationId}`)];
  const wake = () => live.wake();
  const lost = () => live.networkLost();
  const looked = () => document.visibilityState === "visible" && live.wake();
  addEventListener("online", wake);
  addEventListener("offline", lost);
  document.addEventListener("visibilitychange", looked);
  const outbox = outboxOf(client);
  const uploads = uploadsOf(client);
  void Promise.all([outbox.belongTo(person.accountId), uploads.belongTo(person.accountId)]).then(() => {
    uploads.settle(new Set(outbox.entries().map(({ clientId }) => clientId)));
    outbox.wakeReady();
  });
  live.start();
  return () => {
    removeEventListener("online", wake);
    removeEventListener("offline", lost);
    document.removeEventListener("visibilitychange", looked);
    for (const end of unfollow) end();
    live.stop();
  };
}
