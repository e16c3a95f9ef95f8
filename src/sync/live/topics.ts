/** Tracks the followed topics and the subscription state of each. */
import type { ClientFrame } from "../../../contract/events.ts";
import type { ClientData } from "../../client/client.ts";

interface Topic {
  followerCount: number;
  /** Delays the subscription until a page has provided a cursor. */
  waitForPage: boolean;
  /** `requested`: a subscription request awaits its response. */
  state: "idle" | "requested" | "subscribed" | "refused";
  /** The cursor moved back while a response was pending. */
  shouldResubscribe: boolean;
  /** Data cached before the first subscription may have missed a change. */
  needsRefetch: boolean;
  hasSubscribed: boolean;
}

export interface TopicDeps {
  cursors: ClientData["queryState"]["cursors"];
  send(frame: ClientFrame): void;
  invalidate(topic: string): void;
  /** Called at the first subscription after a topic is followed, unless its data is invalidated anyway. */
  firstSubscribed(topic: string): void;
}

export function createTopics({ cursors, send, invalidate, firstSubscribed }: TopicDeps) {
  const topics = new Map<string, Topic>();
  /** Topics that were followed no longer before their subscription was confirmed: what was cached meanwhile may have missed a change. */
  const unconfirmed = new Set<string>();
  let isConnected = false;

  function subscribe(name: string, topic: Topic): void {
    const since = cursors.get(name);
    if (!isConnected || (topic.waitForPage && since === undefined)) return;
    topic.state = "requested";
    topic.shouldResubscribe = false;
    send({ subscribe: since === undefined ? { topic: name } : { topic: name, since } });
  }

  function catchUp(name: string): void {
    const topic = topics.get(name);
    if (!topic) return;
    if (topic.state === "requested") topic.shouldResubscribe = true;
    else subscribe(name, topic);
  }

  cursors.onMoved(catchUp);

  return {
    onConnected() {
      isConnected = true;
      for (const [name, topic] of topics) subscribe(name, topic);
    },
    onDisconnected() {
      isConnected = false;
      for (const topic of topics.values()) topic.state = "idle";
    },
    follow(name: string, { waitForPage = false }: { waitForPage?: boolean } = {}): () => void {
      const existing = topics.get(name);
      const topic: Topic = existing ?? {
        followerCount: 0,
        waitForPage,
        state: "idle",
        shouldResubscribe: false,
        needsRefetch: unconfirmed.delete(name),
        hasSubscribed: false,
      };
      topics.set(name, topic);
      if (!waitForPage && cursors.get(name) === undefined) topic.needsRefetch = true;
      topic.followerCount += 1;
      if (topic.followerCount === 1) subscribe(name, topic);
      let isActive = true;
      return () => {
        if (!isActive) return;
        isActive = false;
        topic.followerCount -= 1;
        if (topic.followerCount > 0 || topics.get(name) !== topic) return;
        topics.delete(name);
        if (topic.needsRefetch) unconfirmed.add(name);
        if (isConnected && topic.state !== "idle") send({ unsubscribe: { topic: name } });
      };
    },
    /** Subscribes again from the cursor; while a response is pending, once more after it. */
    catchUp,
    onSubscribed({ topic: name, seq }: { topic: string; seq: number }) {
      const topic = topics.get(name);
      if (!topic) return;
      const cursor = cursors.get(name);
      topic.state = "subscribed";
      if (cursor === undefined || cursor > seq) cursors.set(name, seq);
      // A cursor after `seq`: the service went back in time (a restored backup), so the cached data describes a state that no longer exists.
      if (topic.needsRefetch || (cursor !== undefined && cursor > seq)) invalidate(name);
      else if (!topic.hasSubscribed) firstSubscribed(name);
      topic.needsRefetch = false;
      topic.hasSubscribed = true;
      if (topic.shouldResubscribe) subscribe(name, topic);
    },
    onReset({ topic: name, seq }: { topic: string; seq: number }) {
      const topic = topics.get(name);
      if (!topic) return;
      topic.state = "subscribed";
      topic.shouldResubscribe = false;
      topic.needsRefetch = false;
      topic.hasSubscribed = true;
      cursors.set(name, seq);
      invalidate(name);
    },
    onRefused(name: string) {
      const topic = topics.get(name);
      if (!topic) return;
      topic.state = "refused";
      invalidate(name);
    },
    isFollowing: (name: string) => topics.has(name),
    followedTopics: () => [...topics.keys()],
    clear() {
      isConnected = false;
      for (const topic of topics.values()) topic.state = "idle";
    },
  };
}
