/** What the live channel tells while a listing or the folders are being loaded may be missing in what comes: it is put into it too. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { FileEvent } from "../files/news.ts";
import { applyFileEvent } from "./change.ts";

const inFlightLoads = new WeakMap<QueryClient, Set<FileEvent[]>>();

/** Loads what belongs under a key of this room. */
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

/** Every load that is under way hears of it. */
export function recordFileEvent(client: QueryClient, event: FileEvent): void {
  for (const events of inFlightLoads.get(client) ?? []) events.push(event);
}
