/** What the live channel tells becomes what the cache holds: each event once, in its topic's order, by the same patches as answers. */
import type { LiveEvent } from "../../../contract/events.ts";
import { handle, type LiveContext } from "./handlers.ts";

export interface Applied {
  cursors: ReadonlyMap<string, number>;
  /** Topics in which something is missing: ask again from their cursor. */
  gaps: ReadonlySet<string>;
}

export interface Sorted {
  ready: readonly LiveEvent[];
  cursors: ReadonlyMap<string, number>;
  gaps: ReadonlySet<string>;
}

/**
 * Picks the events whose turn it is. An event that was applied before is dropped; one that comes too early is dropped too
 * and its topic is reported as a gap, since asking again from the cursor brings both. Topics without a cursor are nobody's.
 */
export function takeInTurn(cursors: ReadonlyMap<string, number>, events: readonly LiveEvent[]): Sorted {
  const next = new Map(cursors);
  const ready: LiveEvent[] = [];
  const gaps = new Set<string>();
  for (const event of events.toSorted((a, b) => a.seq - b.seq)) {
    const last = next.get(event.topic);
    if (last === undefined || event.seq <= last) continue;
    if (event.seq > last + 1) {
      gaps.add(event.topic);
      continue;
    }
    next.set(event.topic, event.seq);
    ready.push(event);
  }
  return { ready, cursors: next, gaps };
}

/** Applies a batch to the cache and answers how far each topic has come. */
export function applyEvents(context: LiveContext, cursors: ReadonlyMap<string, number>, events: readonly LiveEvent[]): Applied {
  const sorted = takeInTurn(cursors, events);
  for (const event of sorted.ready) handle(context, event);
  return { cursors: sorted.cursors, gaps: sorted.gaps };
}
