/** A service in memory whose line to its clients loses, doubles, swaps and delays, by lot; for tests of what clients make of that. */
import { ApiError, offline } from "../../api/api-error.ts";
import type { LiveHandlers, LiveSocket } from "../../api/live.ts";
import type { HistoryPlace, NewMessage } from "../../api/messages.ts";
import type { LiveEvent, ServerFrame } from "../../../contract/events.ts";
import type { Message } from "../../../contract/records.ts";
import type { HistoryAnswer } from "./history.ts";
import { messageOf } from "./message.fixture.ts";
import { quoteOf } from "./quotes.ts";

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

const TOPIC = "project:1";
/** Smaller than in life, so that short worlds reach their ends. */
const PAGE_MOST = 20;
const CATCH_UP_MOST = 40;
/** Of a request and of its answer; an event takes at most a fraction of it. */
const SLOWEST_MS = 300;
const EVENT_MS = 15;

export const ME = 1;
export const OTHERS = 2;

export function createService(random: Random, before: number) {
  const messages: Message[] = [];
  const events: LiveEvent[] = [];
  const sockets = new Set<{ say(frame: ServerFrame, sure?: boolean): void; end(): void; since: number | null }>();
  /** Messages that were deleted at some time: how long a client may not know that they are back is the line's matter. */
  const onceDeleted = new Set<number>();
  const line = { up: true, live: true, faults: true, refuses: (_body: string) => false };
  let lastId = 0;
  /** What was asked for just now, which is where a change meets a page or an answer under way. */
  let onTheWay: readonly Message[] = [];

  const happened = (type: string, data: object) => {
    const event: LiveEvent = { topic: TOPIC, seq: events.length + 1, type, time: new Date().toISOString(), data: { ...data } };
    events.push(event);
    for (const socket of sockets) if (socket.since !== null) socket.say({ event });
  };
  /** As it is told right now: with its parent as that stands. */
  const shown = (message: Message): Message => {
    const parent = messages.find(({ id }) => id === message.parent_message_id);
    return { ...message, parent: parent ? quoteOf(parent) : null };
  };
  const add = (changes: Partial<Message>) => {
    // Ids are drawn for all projects together: a chat has holes.
    lastId += 1 + random(3);
    const message = messageOf(lastId, { ...changes, datetime: new Date().toISOString() });
    messages.push(message);
    return message;
  };
  for (let count = 0; count < before; count += 1) add({ account_id: OTHERS });

  function change(message: Message | undefined, changes: Partial<Message>): void {
    if (!message) return;
    const after = { ...message, ...changes, revision: message.revision! + 1 };
    if (after.deleted) onceDeleted.add(after.id);
    messages[messages.indexOf(message)] = after;
    happened("message.updated", shown(after));
  }

  function page({ limit = 50, before_id, after_id, around_id, include_deleted = false }: HistoryPlace): HistoryAnswer & { object: "list"; seq: number } {
    const seen = messages.filter(({ deleted }) => include_deleted || !deleted);
    const most = Math.min(limit, PAGE_MOST);
    const to = before_id === undefined ? seen.length : seen.filter(({ id }) => id < before_id).length;
    let from = Math.max(0, to - most);
    if (after_id !== undefined) from = seen.filter(({ id }) => id <= after_id).length;
    if (around_id !== undefined) from = Math.max(0, seen.filter(({ id }) => id < around_id).length - most / 2);
    const data = seen.slice(from, before_id === undefined ? from + most : to).map(shown);
    onTheWay = data;
    return { object: "list", data, has_more_before: from > 0, has_more_after: from + data.length < seen.length, seq: events.length };
  }

  function take({ body, client_id: clientId, parent_message_id: parent = null }: NewMessage): Message {
    const known = messages.find(({ client_id }) => client_id === clientId);
    if (known) return shown(known);
    if (line.refuses(body)) throw new ApiError({ kind: "problem", status: 400, title: "No", detail: "not today" });
    const message = add({ account_id: ME, body, client_id: clientId ?? null, parent_message_id: parent });
    happened("message.created", shown(message));
    onTheWay = [message];
    return shown(message);
  }

  const pass = (most = SLOWEST_MS) => new Promise((resolve) => setTimeout(resolve, 1 + random(line.faults ? most : 5)));
  /** There and back, each with its own delay; either way may fail. */
  async function call<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    const lost = () => !line.up || (line.faults && random(12) === 0);
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
        const lot = line.faults && !sure ? random(20) : 10;
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
      if (!line.up || !line.live) return socket.end();
      if (ended) return;
      sockets.add(socket);
      handlers.onOpen();
    });
    return {
      send(frame) {
        if (!("subscribe" in frame)) return;
        const { topic, since = events.length } = frame.subscribe;
        if (topic !== TOPIC) return;
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

  const any = (fits: (message: Message) => boolean) => {
    const near = random(3) > 0 ? onTheWay.flatMap(({ id }) => messages.filter((one) => one.id === id && fits(one))) : [];
    const fitting = near.length > 0 ? near : messages.filter(fits);
    return fitting.length > 0 ? fitting[random(fitting.length)] : undefined;
  };
  return {
    line,
    onceDeleted,
    page: (place: HistoryPlace, signal?: AbortSignal) => call(() => page(place), signal),
    take: (message: NewMessage) => call(() => take(message)),
    open,
    cut: () => [...sockets].forEach((socket) => socket.end()),
    write: () => happened("message.created", shown(add({ account_id: OTHERS, parent_message_id: any(() => true)?.id ?? null }))),
    edit: () =>
      change(
        any(({ deleted }) => !deleted),
        { body: `edited ${events.length}`, edited: true },
      ),
    remove: () =>
      change(
        any(({ deleted }) => !deleted),
        { deleted: true, body: "" },
      ),
    restore: () =>
      change(
        any(({ deleted }) => deleted === true),
        { deleted: false, body: `restored ${events.length}` },
      ),
    /** Many at once, without an event each. */
    load() {
      for (let count = 0; count < 8; count += 1) add({ account_id: OTHERS });
      happened("messages.imported", { project_id: 1 });
    },
    /** What is true. */
    messages: (): readonly Message[] => messages.map(shown),
  };
}
export type FakeService = ReturnType<typeof createService>;
