/** How far the processing of versions has come: a hint of the live channel that no cache keeps. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileProgress } from "../../../contract/events.ts";

export interface ProgressStore {
  /** 0 to 1; undefined where nothing was heard. */
  of(fileId: number, version: number): number | undefined;
  hear(progress: FileProgress): void;
  /** Processing has ended: what was heard of it says nothing any more. */
  forget(fileId: number, version: number): void;
  onChange(listener: () => void): () => void;
}

export function createProgressStore(): ProgressStore {
  const known = new Map<string, number>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    of: (fileId, version) => known.get(keyOf(fileId, version)),
    hear({ file_id, version, progress }) {
      const key = keyOf(file_id, version);
      const shown = Math.min(1, Math.max(0, progress));
      if (known.get(key) === shown) return;
      known.set(key, shown);
      tell();
    },
    forget(fileId, version) {
      if (known.delete(keyOf(fileId, version))) tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const keyOf = (fileId: number, version: number) => `${fileId}:${version}`;

const perClient = new WeakMap<QueryClient, ProgressStore>();

/** What was heard since this query cache began. */
export function progressOf(client: QueryClient): ProgressStore {
  const known = perClient.get(client) ?? createProgressStore();
  perClient.set(client, known);
  return known;
}
