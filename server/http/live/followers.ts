/** Who has which project open, in this process: tells them of each other, and hands them what is said in passing. */
import { SECOND } from "../../lib/clock.ts";
import { signalFrame } from "./frames.ts";

/** One socket, as the followers of a topic know it. */
export interface Follower {
  accountId: number;
  /** Whether the right to this topic still holds. */
  mayHear(topic: string): boolean;
  signal(frame: Buffer): void;
}

/** Comings and goings within this time are told at once: a restart brings everybody back together. */
const PRESENCE_PAUSE_MS = 150;
/** What one person's typing is told again after; clients send it every two seconds. */
const TYPING_PAUSE_MS = 1.5 * SECOND;

export type Followers = ReturnType<typeof createFollowers>;

export function createFollowers() {
  /** Each with the presence it was told last, so that a page that only subscribes anew is no news. */
  const byTopic = new Map<string, Map<Follower, string>>();
  const changing = new Map<string, NodeJS.Timeout>();
  const typedAt = new Map<string, number>();

  const followersOf = (topic: string): Follower[] => [...(byTopic.get(topic)?.keys() ?? [])];
  const isThere = (topic: string, accountId: number): boolean => followersOf(topic).some((one) => one.accountId === accountId);

  function tellPresence(topic: string, to: Follower[]): void {
    const people = [...new Set(followersOf(topic).map(({ accountId }) => accountId))].sort((left, right) => left - right);
    const frame = signalFrame("presence", { project_id: projectOf(topic), account_ids: people });
    for (const follower of to) {
      if (byTopic.get(topic)?.get(follower) === String(people) || !follower.mayHear(topic)) continue;
      byTopic.get(topic)?.set(follower, String(people));
      follower.signal(frame);
    }
  }

  function tellSoon(topic: string): void {
    if (changing.has(topic)) return;
    const timer = setTimeout(() => {
      changing.delete(topic);
      tellPresence(topic, followersOf(topic));
    }, PRESENCE_PAUSE_MS).unref();
    changing.set(topic, timer);
  }

  return {
    /** Hands a signal to all who follow, but not to this person. */
    tell(topic: string, frame: Buffer, except: number): void {
      for (const follower of followersOf(topic)) if (follower.accountId !== except && follower.mayHear(topic)) follower.signal(frame);
    },
    /** Adds the socket and tells it who else is there. */
    join(topic: string, follower: Follower): void {
      if (!topic.startsWith(PROJECT)) return;
      const isNew = !isThere(topic, follower.accountId);
      const followers = byTopic.get(topic) ?? new Map<Follower, string>();
      byTopic.set(topic, followers.set(follower, ""));
      tellPresence(topic, [follower]);
      if (isNew) tellSoon(topic);
    },
    leave(topic: string, follower: Follower): void {
      const followers = byTopic.get(topic);
      if (!followers?.delete(follower)) return;
      if (followers.size === 0) byTopic.delete(topic);
      if (isThere(topic, follower.accountId)) return;
      typedAt.delete(`${topic} ${follower.accountId}`);
      tellSoon(topic);
    },
    /** Whether this person's typing is to be told now: not more often than it is worth, however many pages they type in. */
    mayType(topic: string, accountId: number): boolean {
      const [key, now] = [`${topic} ${accountId}`, performance.now()];
      if (now - (typedAt.get(key) ?? -Infinity) < TYPING_PAUSE_MS) return false;
      typedAt.set(key, now);
      return true;
    },
    close(): void {
      for (const timer of changing.values()) clearTimeout(timer);
      changing.clear();
    },
  };
}

const PROJECT = "project:";
const projectOf = (topic: string): number => Number(topic.slice(PROJECT.length));
