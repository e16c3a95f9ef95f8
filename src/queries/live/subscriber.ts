/** The one live subscriber of a tab, outside React: sockets, timers and frames around the pure decisions beside it. */
import type { LiveHandlers, LiveSocket } from "../../api/live.ts";
import type { LiveEvent, ServerFrame } from "../../../contract/events.ts";
import { initial, step, type Input, type Machine, type Phase } from "./connection-machine.ts";
import type { Cursors } from "./cursors.ts";
import { createTopics } from "./topics.ts";

export interface LiveState {
  phase: Phase;
  /** Epoch milliseconds since when there is no live channel. */
  since: number | null;
}

export interface SubscriberDeps {
  cursors: Cursors;
  open(handlers: LiveHandlers): LiveSocket;
  /** Applies events in their turn; answers the topics in which something is missing. */
  apply(events: readonly LiveEvent[]): ReadonlySet<string>;
  signal(signal: { type: string; data: unknown }): void;
  /** A topic lost its thread: what is cached of it must be loaded again. */
  renew(topic: string): void;
  /** Fetches what is new in the followed topics. Rejects when the service cannot be reached. */
  poll(topics: readonly string[]): Promise<void>;
  /** The channel is there again after it was away: what only signals told may be out of date. */
  returned(): void;
  signedOut(): void;
  now(): number;
  random(): number;
  /** Runs soon, at most once per frame; `setTimeout` beside it since hidden pages draw no frames. */
  nextFrame(run: () => void): void;
}

export interface Subscriber {
  start(): void;
  stop(): void;
  /** Follows a topic until the returned function is called. `fromPage`: starts once a page has told its `seq`. */
  follow(topic: string, options?: { fromPage?: boolean }): () => void;
  follows(topic: string): boolean;
  /** Tells who follows the project that this person is writing; a hint, lost without a connection. */
  writing(projectId: number): void;
  state(): LiveState;
  onChange(listener: () => void): () => void;
  /** To be called when the network comes back or the page is looked at. */
  wake(): void;
  networkLost(): void;
}

/** A ping when the channel was silent this long; without any frame after it the socket counts as dead. */
const PING_AFTER_MS = 20_000;
const ANSWER_WITHIN_MS = 8_000;
const OPEN_WITHIN_MS = 10_000;

type Timer = ReturnType<typeof setTimeout>;

export function createSubscriber(deps: SubscriberDeps): Subscriber {
  let machine: Machine = initial;
  let shown: LiveState = { phase: initial.phase, since: initial.since };
  let socket: LiveSocket | undefined;
  let frames: ServerFrame[] = [];
  let flushing = false;
  let lost = false;
  const timers: Partial<Record<"retry" | "poll" | "pulse", Timer>> = {};
  const listeners = new Set<() => void>();
  const topics = createTopics({ cursors: deps.cursors, send: (frame) => socket?.send(frame), renew: deps.renew });

  function after(name: keyof typeof timers, ms: number, run: () => void): void {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(run, ms);
  }

  function feed(input: Input): void {
    const [next, effects] = step(machine, input, deps.random());
    machine = next;
    if (next.phase !== shown.phase || next.since !== shown.since) {
      shown = { phase: next.phase, since: next.since };
      for (const listener of listeners) listener();
    }
    for (const effect of effects) {
      if (effect.do === "open") openSocket();
      else if (effect.do === "close") closeSocket();
      else if (effect.do === "probe") probe();
      else if (effect.do === "retry") after("retry", effect.afterMs, () => feed({ type: "retry" }));
      else if (effect.do === "poll") after("poll", effect.afterMs, poll);
      else if (effect.do === "stopPolling") clearTimeout(timers.poll);
      else deps.signedOut();
    }
  }

  function openSocket(): void {
    clearTimeout(timers.retry);
    const opened: LiveSocket = deps.open({
      onOpen: () => {
        if (socket !== opened) return;
        feed({ type: "opened" });
        topics.connected();
        watchPulse();
        if (lost) deps.returned();
        lost = false;
      },
      onFrame: (frame) => {
        if (socket !== opened) return;
        feed({ type: "heard" });
        watchPulse();
        queue(frame);
      },
      onClose: (code) => {
        if (socket !== opened) return;
        socket = undefined;
        lost = true;
        clearTimeout(timers.pulse);
        flush();
        topics.disconnected();
        feed({ type: "closed", at: deps.now(), code });
      },
    });
    socket = opened;
    after("pulse", OPEN_WITHIN_MS, () => opened.close());
  }

  function closeSocket(): void {
    const closing = socket;
    socket = undefined;
    for (const timer of Object.values(timers)) clearTimeout(timer);
    closing?.close();
    topics.disconnected();
  }

  function watchPulse(): void {
    after("pulse", PING_AFTER_MS, probe);
  }

  function probe(): void {
    const probed = socket;
    probed?.send({ ping: deps.now() });
    after("pulse", ANSWER_WITHIN_MS, () => probed?.close());
  }

  function poll(): void {
    deps.poll(topics.followed()).then(
      () => feed({ type: "polled", ok: true }),
      () => feed({ type: "polled", ok: false }),
    );
  }

  function queue(frame: ServerFrame): void {
    frames.push(frame);
    if (flushing) return;
    flushing = true;
    deps.nextFrame(flush);
  }

  /** Frames are taken in their order; events that stand together are applied as one batch. */
  function flush(): void {
    flushing = false;
    const taken = frames;
    frames = [];
    let events: LiveEvent[] = [];
    const applyEvents = () => {
      if (events.length > 0) for (const topic of deps.apply(events)) topics.catchUp(topic);
      events = [];
    };
    for (const frame of taken) {
      if ("event" in frame) {
        events.push(frame.event as LiveEvent);
        continue;
      }
      applyEvents();
      if ("subscribed" in frame) topics.subscribed(frame.subscribed as { topic: string; seq: number });
      else if ("reset" in frame) topics.reset(frame.reset as { topic: string; seq: number });
      else if ("refused" in frame) topics.refused((frame.refused as { topic: string }).topic);
      else if ("signal" in frame) deps.signal(frame.signal as { type: string; data: unknown });
    }
    applyEvents();
  }

  return {
    start: () => feed({ type: "start", at: deps.now() }),
    stop() {
      feed({ type: "stop" });
      frames = [];
      lost = false;
      topics.clear();
    },
    follow: topics.follow,
    follows: topics.follows,
    writing: (projectId) => socket?.send({ typing: { project_id: projectId } }),
    state: () => shown,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wake: () => feed({ type: "woken" }),
    networkLost: () => feed({ type: "networkLost", at: deps.now() }),
  };
}
