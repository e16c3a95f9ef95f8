/** Applies file events that arrive during a load to its response, which may lack them. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { FileEvent } from "../files/news.ts";
import { applyFileEvent } from "./change.ts";

const inFlightLoads = new WeakMap<QueryClient, Set<FileEvent[]>>();

/** Loads data for a file list key and applies the events that arrived meanwhile. */
export async function loadWithEvents<T extends object>(client: QueryClient, queryKey: QueryKey, load: () => Promise<T>): Promise<T> {
  const recorders = inFlightLoads.get(client) ?? new Set();
  inFlightLoads.set(client, recorders);
  const events: FileEvent[] = [];
  recorders.add(events);
  try {
    const data: T = await load();
    return events.reduce<T>((current, event) => (applyFileEvent(client, queryKey, current, event) as T | null) ?? current, data);
  } finally {
    recorders.delete(events);
  }
}

/** Records an event for every load in flight. */
export function recordFileEvent(client: QueryClient, event: FileEvent): void {
  for (const events of inFlightLoads.get(client) ?? []) events.push(event);
}
