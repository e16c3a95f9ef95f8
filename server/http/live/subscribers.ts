/** Tracks the subscribers of each project in this process, sends them presence of all processes, and forwards ephemeral signals. */
import type { SignalType } from "../../../contract/events.ts";
import type { Peers } from "../../events/peers.ts";
import { SECOND } from "../../lib/clock.ts";
import { signalFrame } from "./frames.ts";
import { createRemotePresence, type RemotePresenceOptions } from "./remote-presence.ts";

/** The view of a socket that this module needs. */
export interface Subscriber {
  accountId: number;
  /** Returns whether the socket still has permission for such a signal about this topic. */
  canReceive(topic: string, signal: SignalType): boolean;
  signal(frame: Buffer): void;
}

/** Presence changes within this time are sent together, since everyone reconnects at once after a restart. */
const PRESENCE_DEBOUNCE_MS = 150;
/** Minimum interval between typing signals of one user; clients send one every two seconds. */
const TYPING_THROTTLE_MS = 1.5 * SECOND;

export type Subscribers = ReturnType<typeof createSubscribers>;

export function createSubscribers(peers: Peers, timing?: RemotePresenceOptions["timing"]) {
  /** Subscribers by topic, each with the presence it was last sent, so that a resubscription sends no duplicate. */
  const byTopic = new Map<string, Map<Subscriber, string>>();
  const presenceTimers = new Map<string, NodeJS.Timeout>();
  const lastTypedAt = new Map<string, number>();

  const subscribersTo = (topic: string): Subscriber[] => [...(byTopic.get(topic)?.keys() ?? [])];
  const accountsHere = (topic: string): number[] => [...new Set(subscribersTo(topic).map(({ accountId }) => accountId))];
  const isPresent = (topic: string, accountId: number): boolean => subscribersTo(topic).some((subscriber) => subscriber.accountId === accountId);

  const remote = createRemotePresence({ peers, onChange: (topic) => void (byTopic.has(topic) && schedulePresence(topic)), ...(timing ? { timing } : {}) });

  function sendPresence(topic: string, recipients: Subscriber[]): void {
    const accountIds = [...new Set([...accountsHere(topic), ...remote.accountsIn(topic)])].sort((left, right) => left - right);
    const frame = signalFrame("presence", { project_id: projectIdOf(topic), account_ids: accountIds });
    for (const subscriber of recipients) {
      if (byTopic.get(topic)?.get(subscriber) === String(accountIds) || !subscriber.canReceive(topic, "presence")) continue;
      byTopic.get(topic)?.set(subscriber, String(accountIds));
      subscriber.signal(frame);
    }
  }

  function schedulePresence(topic: string): void {
    if (presenceTimers.has(topic)) return;
    const timer = setTimeout(() => {
      presenceTimers.delete(topic);
      remote.announce(topic, accountsHere(topic));
      sendPresence(topic, subscribersTo(topic));
    }, PRESENCE_DEBOUNCE_MS).unref();
    presenceTimers.set(topic, timer);
  }

  return {
    /** Sends a signal to all permitted subscribers except this account. */
    broadcast(topic: string, type: SignalType, data: Record<string, unknown>, excludedAccountId: number | null): void {
      const frame = signalFrame(type, data);
      for (const subscriber of subscribersTo(topic))
        if (subscriber.accountId !== excludedAccountId && subscriber.canReceive(topic, type)) subscriber.signal(frame);
    },
    /** Adds the socket and sends it the current presence. A token that is not shown who is there is not there itself, such as one for files alone. */
    join(topic: string, subscriber: Subscriber): void {
      if (!topic.startsWith(PROJECT_PREFIX) || !subscriber.canReceive(topic, "presence")) return;
      remote.start();
      const isNew = !isPresent(topic, subscriber.accountId);
      const subscribers = byTopic.get(topic) ?? new Map<Subscriber, string>();
      byTopic.set(topic, subscribers.set(subscriber, ""));
      sendPresence(topic, [subscriber]);
      if (isNew) schedulePresence(topic);
    },
    leave(topic: string, subscriber: Subscriber): void {
      const subscribers = byTopic.get(topic);
      if (!subscribers?.delete(subscriber)) return;
      if (subscribers.size === 0) byTopic.delete(topic);
      if (isPresent(topic, subscriber.accountId)) return;
      lastTypedAt.delete(`${topic} ${subscriber.accountId}`);
      schedulePresence(topic);
    },
    /** Returns whether to send a typing signal now. Throttled per user, however many pages they type in. */
    shouldSendTyping(topic: string, accountId: number): boolean {
      const [key, now] = [`${topic} ${accountId}`, performance.now()];
      if (now - (lastTypedAt.get(key) ?? -Infinity) < TYPING_THROTTLE_MS) return false;
      lastTypedAt.set(key, now);
      return true;
    },
    /** Compares presence with the other processes, because messages of theirs may have been missed. */
    resync: remote.resync,
    close(): void {
      remote.close();
      for (const timer of presenceTimers.values()) clearTimeout(timer);
      presenceTimers.clear();
    },
  };
}

const PROJECT_PREFIX = "project:";
const projectIdOf = (topic: string): number => Number(topic.slice(PROJECT_PREFIX.length));
