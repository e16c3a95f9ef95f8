/** The live subscriber of a client, outside React: it runs sockets, timers and frames for the pure decisions in `connection-machine.ts`. */
import type { LiveEvent, ServerFrame } from "../../../contract/events.ts";
import type { LiveHandlers, LiveSocket } from "../../api/live.ts";
import { createStore } from "../../lib/store.ts";
import type { ClientData } from "../../client/client.ts";
import { initialMachine, transition, type Input, type Machine } from "./connection-machine.ts";
import { createTopics } from "./topics.ts";

export interface SubscriberDeps {
  cursors: ClientData["queryState"]["cursors"];
  open(handlers: LiveHandlers): LiveSocket;
  /** Applies events in order; returns the topics with missing events. */
  apply(events: readonly LiveEvent[]): ReadonlySet<string>;
  signal(signal: { type: string; data: unknown }): void;
  /** Refetches what is cached of a topic that may have missed events. */
  invalidate(topic: string): void;
  /** Called at the first subscription of a followed topic, since signals sent before it are lost. */
  firstSubscribed(topic: string): void;
  /** Fetches what is new in the followed topics; rejects when the service is unreachable. */
  poll(topics: readonly string[]): Promise<void>;
  /** Called when the channel is back, since data that only signals keep current may be outdated. */
  reconnected(): void;
  signedOut(): void;
  now(): number;
  random(): number;
  /** Runs the callback later, at most once per frame; a timeout covers hidden pages, which run no animation frames. */
  nextFrame(run: () => void): void;
}

/** A ping is sent after this long without a frame; without any frame after it the socket counts as dead. */
const PING_IDLE_MS = 20_000;
const PONG_TIMEOUT_MS = 8_000;
const OPEN_TIMEOUT_MS = 10_000;

type Timer = ReturnType<typeof setTimeout>;

export type Subscriber = ReturnType<typeof createSubscriber>;

export function createSubscriber(deps: SubscriberDeps) {
  let machine: Machine = initialMachine;
  const liveState = createStore<Pick<Machine, "phase" | "since">>({ phase: initialMachine.phase, since: initialMachine.since });
  let socket: LiveSocket | undefined;
  let hasDisconnected = false;
  const timers: Partial<Record<"retry" | "poll" | "heartbeat", Timer>> = {};
  const topics = createTopics({
    cursors: deps.cursors,
    send: (frame) => socket?.send(frame),
    invalidate: deps.invalidate,
    firstSubscribed: deps.firstSubscribed,
  });
  const frames = createFrameQueue(deps, topics);

  function setTimer(name: keyof typeof timers, ms: number, run: () => void): void {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(run, ms);
  }

  function dispatch(input: Input): void {
    const [next, effects] = transition(machine, input, deps.random());
    machine = next;
    const { phase, since } = liveState.get();
    if (next.phase !== phase || next.since !== since) liveState.set({ phase: next.phase, since: next.since });
    for (const effect of effects) {
      if (effect.type === "open") openSocket();
      else if (effect.type === "close") closeSocket();
      else if (effect.type === "probe") probe();
      else if (effect.type === "retry") setTimer("retry", effect.afterMs, () => dispatch({ type: "retry" }));
      else if (effect.type === "poll") setTimer("poll", effect.afterMs, poll);
      else if (effect.type === "stopPolling") clearTimeout(timers.poll);
      else deps.signedOut();
    }
  }

  function openSocket(): void {
    clearTimeout(timers.retry);
    const opened: LiveSocket = deps.open({
      onOpen: () => {
        if (socket !== opened) return;
        dispatch({ type: "opened" });
        topics.onConnected();
        schedulePing();
        if (hasDisconnected) deps.reconnected();
        hasDisconnected = false;
      },
      onFrame: (frame) => {
        if (socket !== opened) return;
        dispatch({ type: "frameReceived" });
        schedulePing();
        frames.add(frame);
      },
      onClose: (code) => {
        if (socket !== opened) return;
        socket = undefined;
        hasDisconnected = true;
        clearTimeout(timers.heartbeat);
        frames.flush();
        topics.onDisconnected();
        dispatch({ type: "closed", at: deps.now(), code });
      },
    });
    socket = opened;
    setTimer("heartbeat", OPEN_TIMEOUT_MS, () => opened.close());
  }

  function closeSocket(): void {
    const closing = socket;
    socket = undefined;
    for (const timer of Object.values(timers)) clearTimeout(timer);
    closing?.close();
    topics.onDisconnected();
  }

  function schedulePing(): void {
    setTimer("heartbeat", PING_IDLE_MS, probe);
  }

  function probe(): void {
    const probed = socket;
    probed?.send({ ping: deps.now() });
    setTimer("heartbeat", PONG_TIMEOUT_MS, () => probed?.close());
  }

  function poll(): void {
    deps.poll(topics.followedTopics()).then(
      () => dispatch({ type: "polled", ok: true }),
      () => dispatch({ type: "polled", ok: false }),
    );
  }

  return {
    start: () => dispatch({ type: "start", at: deps.now() }),
    stop() {
      dispatch({ type: "stop" });
      frames.clear();
      hasDisconnected = false;
      topics.clear();
    },
    /** Follows a topic until the returned function is called. `waitForPage` delays the subscription until a page has provided its `seq`. */
    follow: topics.follow,
    isFollowing: topics.isFollowing,
    /** Signals to the project's subscribers that the user is typing; lost without a connection. */
    sendTyping: (projectId: number) => socket?.send({ typing: { project_id: projectId } }),
    get: liveState.get,
    subscribe: liveState.subscribe,
    /** To be called when the network comes back or the page becomes visible. */
    wake: () => dispatch({ type: "woken" }),
    networkLost: () => dispatch({ type: "networkLost", at: deps.now() }),
  };
}

/** Creates the queue of received frames. The first is processed at once; what follows it is processed once per frame of the screen. */
function createFrameQueue({ apply, signal, nextFrame }: Pick<SubscriberDeps, "apply" | "signal" | "nextFrame">, topics: ReturnType<typeof createTopics>) {
  let frames: ServerFrame[] = [];
  /** Whether the next frame of the screen is awaited. */
  let isWaiting = false;

  /** Processes frames in order and applies consecutive events as one batch. */
  function flush(): void {
    const batch = frames;
    frames = [];
    let events: LiveEvent[] = [];
    const applyEvents = () => {
      if (events.length > 0) for (const topic of apply(events)) topics.catchUp(topic);
      events = [];
    };
    for (const frame of batch) {
      if ("event" in frame) {
        events.push(frame.event as LiveEvent);
        continue;
      }
      applyEvents();
      if ("subscribed" in frame) topics.onSubscribed(frame.subscribed as { topic: string; seq: number });
      else if ("reset" in frame) topics.onReset(frame.reset as { topic: string; seq: number });
      else if ("refused" in frame) topics.onRefused((frame.refused as { topic: string }).topic);
      else if ("signal" in frame) signal(frame.signal as { type: string; data: unknown });
    }
    applyEvents();
  }

  function flushAndWait(): void {
    isWaiting = true;
    nextFrame(() => {
      isWaiting = false;
      if (frames.length > 0) flushAndWait();
    });
    flush();
  }

  return {
    flush,
    add(frame: ServerFrame): void {
      frames.push(frame);
      if (!isWaiting) flushAndWait();
    },
    clear(): void {
      frames = [];
    },
  };
}
