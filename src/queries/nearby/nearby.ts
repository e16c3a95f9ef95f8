/** Who has a project open now and who is writing in it: told by signals, forgotten with the connection. */
import type { QueryClient } from "@tanstack/react-query";

/** A signal of typing holds this long. */
export const TYPING_MS = 6_000;

type People = readonly number[];
const NOBODY: People = [];

export interface Nearby {
  hearPresence(projectId: number, accountIds: People): void;
  hearTyping(projectId: number, accountId: number): void;
  /** A message of theirs has come: they are done. */
  stopTyping(projectId: number, accountId: number): void;
  /** The project is no longer followed. */
  leave(projectId: number): void;
  /** The connection is gone: nothing is known any more. */
  clear(): void;
  /** The same array until it changes. */
  present(projectId: number): People;
  /** In the order in which they began. */
  typing(projectId: number): People;
  onChange(listener: () => void): () => void;
}

export function createNearby(): Nearby {
  const present = new Map<number, People>();
  const typing = new Map<number, People>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  function stopTyping(projectId: number, accountId: number): void {
    clearTimeout(timers.get(`${projectId}:${accountId}`));
    timers.delete(`${projectId}:${accountId}`);
    const now = typing.get(projectId) ?? NOBODY;
    if (!now.includes(accountId)) return;
    typing.set(
      projectId,
      now.filter((id) => id !== accountId),
    );
    tell();
  }

  return {
    hearPresence(projectId, accountIds) {
      present.set(projectId, accountIds);
      tell();
    },
    hearTyping(projectId, accountId) {
      const key = `${projectId}:${accountId}`;
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => stopTyping(projectId, accountId), TYPING_MS),
      );
      const now = typing.get(projectId) ?? NOBODY;
      if (now.includes(accountId)) return;
      typing.set(projectId, [...now, accountId]);
      tell();
    },
    stopTyping,
    leave(projectId) {
      for (const accountId of typing.get(projectId) ?? NOBODY) stopTyping(projectId, accountId);
      if (present.delete(projectId)) tell();
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      present.clear();
      typing.clear();
      tell();
    },
    present: (projectId) => present.get(projectId) ?? NOBODY,
    typing: (projectId) => typing.get(projectId) ?? NOBODY,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const perClient = new WeakMap<QueryClient, Nearby>();

export function nearbyOf(client: QueryClient): Nearby {
  const known = perClient.get(client) ?? createNearby();
  perClient.set(client, known);
  return known;
}
