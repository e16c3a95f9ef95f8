/** A line between a service in memory and its clients that loses, doubles, swaps and delays, by lot; for tests of what clients make of that. */
import { offline } from "../../api/api-error.ts";
import type { LiveHandlers, LiveSocket } from "../../api/live.ts";
import type { LiveEvent, ServerFrame } from "../../../contract/events.ts";

/** Below `bound`, from 0. */
export type Random = (bound: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Smaller than in life, so that short worlds reach their ends. */
const CATCH_UP_MOST = 40;
/** Of a request and of its answer; an event takes at most a fraction of it. */
const SLOWEST_MS = 300;
const EVENT_MS = 15;

export function createLine(random: Random, lineTopic: string) {
  const events: LiveEvent[] = [];
  const sockets = new Set<{ say(frame: ServerFrame, sure?: boolean): void; end(): void; since: number | null }>();
  const state = { up: true, live: true, faults: true, refuses: (_body: string) => false };

  const happened = (type: string, data: object) => {
    const event: LiveEvent = { topic: lineTopic, seq: events.length + 1, type, time: new Date().toISOString(), data: { ...data } };
    events.push(event);
    for (const socket of sockets) if (socket.since !== null) socket.say({ event });
  };

  const pass = (most = SLOWEST_MS) => new Promise((resolve) => setTimeout(resolve, 1 + random(state.faults ? most : 5)));
  /** There and back, each with its own delay; either way may fail. */
  async function call<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    const lost = () => !state.up || (state.faults && random(12) === 0);
    await pass();
    if (lost()) throw offline(null);
    const answer = work();
    await pass();
    if (signal?.aborted) throw signal.reason;
    if (lost()) throw offline(null);
    return structuredClone(answer);
  }

  function open(handlers: LiveHandlers): LiveSocket {
    let ended = false;
    let held: ServerFrame | null = null;
    /** A socket keeps its order; what is swapped is swapped on purpose. */
    let quiet = Promise.resolve<unknown>(undefined);
    const later = (run: () => void) => {
      quiet = quiet.then(() => pass(EVENT_MS)).then(() => (ended ? undefined : run()));
    };
    const socket = {
      since: null as number | null,
      say(frame: ServerFrame, sure = false) {
        const lot = state.faults && !sure ? random(20) : 10;
        if (lot === 0) return;
        if (lot === 1 && held === null) {
          held = frame;
          return;
        }
        const told = [frame, ...(lot === 2 ? [frame] : []), ...(held ? [held] : [])];
        held = null;
        for (const one of told) later(() => handlers.onFrame(structuredClone(one)));
      },
      end() {
        if (ended) return;
        ended = true;
        sockets.delete(socket);
        handlers.onClose(1006);
      },
    };
    void pass().then(() => {
      if (!state.up || !state.live) return socket.end();
      if (ended) return;
      sockets.add(socket);
      handlers.onOpen();
    });
    return {
      send(frame) {
        if (!("subscribe" in frame)) return;
        const { topic, since = events.length } = frame.subscribe;
        if (topic !== lineTopic) return;
        later(() => {
          const told = { topic, seq: events.length };
          socket.since = since;
          if (events.length - since > CATCH_UP_MOST) return socket.say({ reset: told }, true);
          for (const event of events.slice(since)) socket.say({ event });
          socket.say({ subscribed: told }, true);
        });
      },
      close: socket.end,
    };
  }

  return { state, events, happened, call, open, cut: () => [...sockets].forEach((socket) => socket.end()) };
}
