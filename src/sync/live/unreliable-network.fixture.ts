/** An unreliable network between an in-memory service and its clients, for tests: it randomly drops, duplicates, reorders and delays. */
import { offlineError } from "../../api/api-error.ts";
import type { LiveHandlers, LiveSocket } from "../../api/live.ts";
import type { LiveEvent, ServerFrame } from "../../../contract/events.ts";

/** Returns an integer from 0 up to, but not including, `bound`. */
export type Random = (bound: number) => number;

/** Creates a generator that repeats its numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Smaller than in production, so that short test runs reach the limit. */
const MAX_CATCH_UP_EVENTS = 40;
/** Upper bound for a request and for its response each; an event takes a fraction of it at most. */
const MAX_DELAY_MS = 300;
const MAX_EVENT_DELAY_MS = 15;

export function createUnreliableNetwork(random: Random, servedTopic: string) {
  const events: LiveEvent[] = [];
  const sockets = new Set<{ deliver(frame: ServerFrame, reliable?: boolean): void; end(): void; since: number | null }>();
  const state = { isUp: true, isLiveUp: true, faultsEnabled: true, rejects: (_body: string) => false };

  const emitEvent = (type: string, data: object) => {
    const event: LiveEvent = { topic: servedTopic, seq: events.length + 1, type, time: new Date().toISOString(), data: { ...data } };
    events.push(event);
    for (const socket of sockets) if (socket.since !== null) socket.deliver({ event });
  };

  const delay = (maxMs = MAX_DELAY_MS) => new Promise((resolve) => setTimeout(resolve, 1 + random(state.faultsEnabled ? maxMs : 5)));
  /** Delays the request and the response separately; either may be lost. */
  async function call<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    const isLost = () => !state.isUp || (state.faultsEnabled && random(12) === 0);
    await delay();
    if (isLost()) throw offlineError(null);
    const response = work();
    await delay();
    if (signal?.aborted) throw signal.reason;
    if (isLost()) throw offlineError(null);
    return structuredClone(response);
  }

  function open(handlers: LiveHandlers): LiveSocket {
    let isEnded = false;
    let heldFrame: ServerFrame | null = null;
    /** A socket delivers in order; frames are reordered only on purpose. */
    let deliveries = Promise.resolve<unknown>(undefined);
    const enqueue = (run: () => void) => {
      deliveries = deliveries.then(() => delay(MAX_EVENT_DELAY_MS)).then(() => (isEnded ? undefined : run()));
    };
    const socket = {
      since: null as number | null,
      deliver(frame: ServerFrame, reliable = false) {
        const roll = state.faultsEnabled && !reliable ? random(20) : 10;
        if (roll === 0) return;
        if (roll === 1 && heldFrame === null) {
          heldFrame = frame;
          return;
        }
        const frames = [frame, ...(roll === 2 ? [frame] : []), ...(heldFrame ? [heldFrame] : [])];
        heldFrame = null;
        for (const queued of frames) enqueue(() => handlers.onFrame(structuredClone(queued)));
      },
      end() {
        if (isEnded) return;
        isEnded = true;
        sockets.delete(socket);
        handlers.onClose(1006);
      },
    };
    void delay().then(() => {
      if (!state.isUp || !state.isLiveUp) return socket.end();
      if (isEnded) return;
      sockets.add(socket);
      handlers.onOpen();
    });
    return {
      send(frame) {
        if (!("subscribe" in frame)) return;
        const { topic, since = events.length } = frame.subscribe;
        if (topic !== servedTopic) return;
        enqueue(() => {
          const position = { topic, seq: events.length };
          socket.since = since;
          if (events.length - since > MAX_CATCH_UP_EVENTS) return socket.deliver({ reset: position }, true);
          for (const event of events.slice(since)) socket.deliver({ event });
          socket.deliver({ subscribed: position }, true);
        });
      },
      close: socket.end,
    };
  }

  return { state, events, emitEvent, call, open, cut: () => [...sockets].forEach((socket) => socket.end()) };
}
