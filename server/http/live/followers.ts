/** Who has which project open, in this process: tells them of each other, and hands them what is said in passing. */
import { SECOND } from "../../lib/clock.ts";
import { signalFrame } from "./frames.ts";

/** One socket, as the followers of a topic know it. */
export interface Subscriber {
  accountId: number;
  /** Whether the right to this topic still holds. */
  canReceive(topic: string): boolean;
  signal(frame: Buffer): void;
}

/** Comings and goings within this time are told at once: a restart brings everybody back together. */
const PRESENCE_DEBOUNCE_MS = 150;
/** What one person's typing is told again after; clients send it every two seconds. */
const TYPING_THROTTLE_MS = 1.5 * SECOND;

export type Subscribers = ReturnType<typeof createSubscribers>;

export function createSubscribers() {
  /** Each with the presence it was told last, so that a page that only subscribes anew is no news. */
  const byTopic = new Map<string, Map<Subscriber, string>>();
  const presenceTimers = new Map<string, NodeJS.Timeout>();
  const lastTypedAt = new Map<string, number>();

  const subscribersTo = (topic: string): Subscriber[] => [...(byTopic.get(topic)?.keys() ?? [])];
  const isPresent = (topic: string, accountId: number): boolean => subscribersTo(topic).some((subscriber) => subscriber.accountId === accountId);

  function sendPresence(topic: string, recipients: Subscriber[]): void {
    const accountIds = [...new Set(subscribersTo(topic).map(({ accountId }) => accountId))].sort((left, right) => left - right);
    const frame = signalFrame("presence", { project_id: projectIdOf(topic), account_ids: accountIds });
    for (const subscriber of recipients) {
      if (byTopic.get(topic)?.get(subscriber) === String(accountIds) || !subscriber.canReceive(topic)) continue;
      byTopic.get(topic)?.set(subscriber, String(accountIds));
      subscriber.signal(frame);
    }
  }

  function schedulePresence(topic: string): void {
    if (presenceTimers.has(topic)) return;
    const timer = setTimeout(() => {
      presenceTimers.delete(topic);
      sendPresence(topic, subscribersTo(topic));
    }, PRESENCE_DEBOUNCE_MS).unref();
    presenceTimers.set(topic, timer);
  }

  return {
    /** Hands a signal to all who follow, but not to this person. */
    broadcast(topic: string, frame: Buffer, excludedAccountId: number): void {
      for (const subscriber of subscribersTo(topic)) if (subscriber.accountId !== excludedAccountId && subscriber.canReceive(topic)) subscriber.signal(frame);
    },
    /** Adds the socket and tells it who else is there. */
    join(topic: string, subscriber: Subscriber): void {
      if (!topic.startsWith(PROJECT_PREFIX)) return;
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
    /** Whether this person's typing is to be told now: not more often than it is worth, however many pages they type in. */
    shouldSendTyping(topic: string, accountId: number): boolean {
      const [key, now] = [`${topic} ${accountId}`, performance.now()];
      if (now - (lastTypedAt.get(key) ?? -Infinity) < TYPING_THROTTLE_MS) return false;
      lastTypedAt.set(key, now);
      return true;
    },
    close(): void {
      for (const timer of presenceTimers.values()) clearTimeout(timer);
      presenceTimers.clear();
    },
  };
}

const PROJECT_PREFIX = "project:";
const projectIdOf = (topic: string): number => Number(topic.slice(PROJECT_PREFIX.length));
