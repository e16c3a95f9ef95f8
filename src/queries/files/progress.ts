/** Tracks the processing progress of versions from live signals, outside the query cache. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileProgress } from "../../../contract/events.ts";

export interface ProgressStore {
  /** 0 to 1; undefined before the first signal. */
  get(fileId: number, version: number): number | undefined;
  update(progress: FileProgress): void;
  /** Removes the progress of a version whose processing has ended. */
  remove(fileId: number, version: number): void;
  onChange(listener: () => void): () => void;
}

export function createProgressStore(): ProgressStore {
  const progressByVersion = new Map<string, number>();
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    get: (fileId, version) => progressByVersion.get(versionKey(fileId, version)),
    update({ file_id, version, progress }) {
      const key = versionKey(file_id, version);
      const clamped = Math.min(1, Math.max(0, progress));
      if (progressByVersion.get(key) === clamped) return;
      progressByVersion.set(key, clamped);
      notify();
    },
    remove(fileId, version) {
      if (progressByVersion.delete(versionKey(fileId, version))) notify();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const versionKey = (fileId: number, version: number) => `${fileId}:${version}`;

const perClient = new WeakMap<QueryClient, ProgressStore>();

/** Returns the progress received since this query cache was created. */
export function getProgressStore(client: QueryClient): ProgressStore {
  const existing = perClient.get(client) ?? createProgressStore();
  perClient.set(client, existing);
  return existing;
}
