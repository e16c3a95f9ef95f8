/** Applies live events to the cache: each event once, in its topic's order, by the same updates as responses. */
import type { LiveEvent } from "../../../contract/events.ts";
import { handleEvent, type LiveContext } from "./event-handlers.ts";

interface OrderedEvents {
  ready: readonly LiveEvent[];
  cursors: ReadonlyMap<string, number>;
  /** Topics with missing events, which must be requested again from their cursor. */
  gaps: ReadonlySet<string>;
}

/**
 * Selects the events that are next in order. An event that was applied before is dropped; one that is too early is dropped too and its topic
 * is reported as a gap, since catching up from the cursor delivers both. Events of topics without a cursor are ignored.
 */
export function applyInOrder(cursors: ReadonlyMap<string, number>, events: readonly LiveEvent[]): OrderedEvents {
  const nextCursors = new Map(cursors);
  const ready: LiveEvent[] = [];
  const gaps = new Set<string>();
  for (const event of events.toSorted((a, b) => a.seq - b.seq)) {
    const lastSeq = nextCursors.get(event.topic);
    if (lastSeq === undefined || event.seq <= lastSeq) continue;
    if (event.seq > lastSeq + 1) {
      gaps.add(event.topic);
      continue;
    }
    nextCursors.set(event.topic, event.seq);
    ready.push(event);
  }
  return { ready, cursors: nextCursors, gaps };
}

/** Applies a batch to the cache and returns the new cursors and the gaps. */
export function applyEvents(context: LiveContext, cursors: ReadonlyMap<string, number>, events: readonly LiveEvent[]): Omit<OrderedEvents, "ready"> {
  const { ready, ...result } = applyInOrder(cursors, events);
  for (const event of ready) handleEvent(context, event);
  return result;
}
