/** Live events as an async iterator that survives lost connections and restarts of the service. */
import type { LiveEvent, ServerFrame } from "../../../contract/events.ts";
import { CLOSE_CODES } from "../../../contract/events.ts";
import { retryDelayMs } from "../../lib/retry-policy.ts";
import { ApiError } from "../api-error.ts";
import type { Api } from "../http.ts";
import { openLiveSocket } from "../live.ts";
import { wait } from "./retries.ts";

export interface EventOptions {
  /** `seq` of the last event that an earlier run has handled, by topic: what was missed since comes first. Without it a topic starts now. */
  since?: Readonly<Record<string, number>>;
  signal?: AbortSignal;
  /** How many events may wait for a consumer that is slower than they come; beyond, the connection is closed, and the rest caught up later. Default 1,000. */
  maxQueued?: number;
}

/**
 * `event`: something changed. `subscribed`: from now on nothing is missed, so a program that needs the current state requests it now.
 * `reset`: more was missed than the service keeps, so a program requests the current state again.
 */
export type LiveItem = { kind: "event"; topic: string; seq: number; event: LiveEvent } | { kind: "subscribed" | "reset"; topic: string; seq: number };

/** The connection is lost if the service sends nothing for two of these intervals, in which it is asked for a sign of life. */
const PING_INTERVAL_MS = 20_000;
const MAX_QUEUED = 1_000;

/** Yields until the consumer stops or `signal` aborts. Throws `ApiError` if the token does not allow to follow a topic, or is revoked. */
export async function* liveEvents(
  api: Api,
  topics: readonly string[],
  { since = {}, signal, maxQueued = MAX_QUEUED }: EventOptions = {},
): AsyncGenerator<LiveItem, void, void> {
  const seqs = new Map(Object.entries(since));
  for (let attempt = 0; ; attempt += 1) {
    const connection = connect(api, topics, seqs, { signal, maxQueued });
    try {
      for await (const frame of connection.frames()) {
        if ("refused" in frame) throw refusedError(frame.refused as { topic: string; reason: string });
        const item = toItem(frame, seqs);
        if (!item) continue;
        attempt = 0;
        yield item;
      }
    } finally {
      connection.close();
    }
    signal?.throwIfAborted();
    await wait(retryDelayMs(attempt), signal);
  }
}

const refusedError = ({ topic, reason }: { topic: string; reason: string }): ApiError =>
  new ApiError({ kind: "problem", status: 403, title: "Not allowed", detail: `The topic ${topic} cannot be followed: ${reason}` });

/** Returns what a frame means for the consumer, and remembers how far it has got; null for what it has already or does not need. */
function toItem(frame: ServerFrame, seqs: Map<string, number>): LiveItem | null {
  if ("event" in frame) {
    const event = frame.event as LiveEvent;
    const { topic, seq } = event;
    if (seq <= (seqs.get(topic) ?? 0)) return null;
    seqs.set(topic, seq);
    return { kind: "event", topic, seq, event };
  }
  const [kind, payload] = "reset" in frame ? (["reset", frame.reset] as const) : "subscribed" in frame ? (["subscribed", frame.subscribed] as const) : [null];
  if (!kind) return null;
  const { topic, seq } = payload as { topic: string; seq: number };
  // Missed events follow on a subscription with `since`.
  if (kind === "reset" || !seqs.has(topic)) seqs.set(topic, seq);
  return { kind, topic, seq };
}

/** Opens one connection. `frames` ends when it is lost, and throws if another one would be refused as well. */
function connect(
  api: Api,
  topics: readonly string[],
  seqs: ReadonlyMap<string, number>,
  { signal, maxQueued }: Pick<EventOptions, "signal"> & { maxQueued: number },
) {
  const queue: ServerFrame[] = [];
  let end: { error: unknown } | null = null;
  let wake = () => {};
  let isAlive = true;
  const finish = (error: unknown) => {
    end ??= { error };
    wake();
  };
  const socket = openLiveSocket(api, {
    onOpen() {
      for (const topic of topics) {
        const seq = seqs.get(topic);
        socket.send({ subscribe: { topic, ...(seq === undefined ? {} : { since: seq }) } });
      }
    },
    onFrame(frame) {
      isAlive = true;
      if (end) return;
      queue.push(frame);
      if (queue.length > maxQueued) socket.close();
      wake();
    },
    onClose(code, error) {
      if (error instanceof ApiError && !error.isTemporary) finish(error);
      else if (code === CLOSE_CODES.unauthorized)
        finish(new ApiError({ kind: "problem", status: 401, title: "Sign-in required", detail: "The token is no longer valid." }));
      else finish(null);
    },
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.close();
    isAlive = false;
    socket.send({ ping: 0 });
  }, PING_INTERVAL_MS);
  const onAbort = () => {
    queue.length = 0;
    finish(signal?.reason);
  };
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  return {
    async *frames(): AsyncGenerator<ServerFrame, void, void> {
      while (true) {
        const frame = queue.shift();
        if (frame) yield frame;
        else if (end) {
          if (end.error) throw end.error as Error;
          return;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    close() {
      clearInterval(timer);
      signal?.removeEventListener("abort", onAbort);
      socket.close();
    },
  };
}
