/** Which topics are followed, and what has been asked of the service for each. */
import type { ClientFrame } from "../../../contract/events.ts";
import type { Cursors } from "./cursors.ts";

interface Topic {
  followers: number;
  /** Waits with subscribing until a page has told from where. */
  fromPage: boolean;
  /** `asked`: the service was asked and has not answered yet. */
  state: "idle" | "asked" | "subscribed" | "refused";
  /** The cursor moved back while an answer was awaited. */
  again: boolean;
}

export interface TopicDeps {
  cursors: Cursors;
  send(frame: ClientFrame): void;
  renew(topic: string): void;
}

export function createTopics({ cursors, send, renew }: TopicDeps) {
  const topics = new Map<string, Topic>();
  let connected = false;

  function ask(name: string, topic: Topic): void {
    const since = cursors.get(name);
    if (!connected || (topic.fromPage && since === undefined)) return;
    topic.state = "asked";
    topic.again = false;
    send({ subscribe: since === undefined ? { topic: name } : { topic: name, since } });
  }

  function catchUp(name: string): void {
    const topic = topics.get(name);
    if (!topic) return;
    if (topic.state === "asked") topic.again = true;
    else ask(name, topic);
  }

  cursors.onMoved(catchUp);

  return {
    connected() {
      connected = true;
      for (const [name, topic] of topics) ask(name, topic);
    },
    disconnected() {
      connected = false;
      for (const topic of topics.values()) topic.state = "idle";
    },
    follow(name: string, { fromPage = false }: { fromPage?: boolean } = {}): () => void {
      const known = topics.get(name);
      const topic: Topic = known ?? { followers: 0, fromPage, state: "idle", again: false };
      topics.set(name, topic);
      topic.followers += 1;
      if (topic.followers === 1) ask(name, topic);
      let following = true;
      return () => {
        if (!following) return;
        following = false;
        topic.followers -= 1;
        if (topic.followers > 0 || topics.get(name) !== topic) return;
        topics.delete(name);
        if (connected && topic.state !== "idle") send({ unsubscribe: { topic: name } });
      };
    },
    /** Asks again from the cursor; while an answer is awaited, once more after it. */
    catchUp,
    subscribed({ topic: name, seq }: { topic: string; seq: number }) {
      const topic = topics.get(name);
      if (!topic) return;
      const cursor = cursors.get(name);
      topic.state = "subscribed";
      if (cursor === undefined) {
        cursors.set(name, seq);
        // What was cached before the subscription may have missed a change; only now is nothing missed any more.
        if (!topic.fromPage) renew(name);
      } else if (cursor > seq) {
        // The service went back in time (a restored copy): what is cached belongs to a past that no longer is.
        cursors.set(name, seq);
        renew(name);
      }
      if (topic.again) ask(name, topic);
    },
    reset({ topic: name, seq }: { topic: string; seq: number }) {
      const topic = topics.get(name);
      if (!topic) return;
      topic.state = "subscribed";
      topic.again = false;
      cursors.set(name, seq);
      renew(name);
    },
    refused(name: string) {
      const topic = topics.get(name);
      if (!topic) return;
      topic.state = "refused";
      renew(name);
    },
    follows: (name: string) => topics.has(name),
    followed: () => [...topics.keys()],
    clear() {
      connected = false;
      for (const topic of topics.values()) topic.state = "idle";
    },
  };
}
