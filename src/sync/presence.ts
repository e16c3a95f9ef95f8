/** Tracks who has a project open and who is typing in it, from live signals only and until the connection is lost. */
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { perClient } from "../queries/query-client.ts";

/** A typing signal lasts this long. */
export const TYPING_TIMEOUT_MS = 6_000;

type AccountIds = readonly number[];
const NO_ACCOUNTS: AccountIds = [];

interface PresenceStore {
  setPresent(projectId: number, accountIds: AccountIds): void;
  startTyping(projectId: number, accountId: number): void;
  /** Called when a message of the account has arrived. */
  stopTyping(projectId: number, accountId: number): void;
  /** Called when the project is no longer followed. */
  removeProject(projectId: number): void;
  /** Called when the connection is lost, after which presence is unknown. */
  clear(): void;
  /** Returns the same array until it changes. */
  present(projectId: number): AccountIds;
  /** Returns the accounts in the order in which they began to type. */
  typing(projectId: number): AccountIds;
  onChange(listener: () => void): () => void;
}

export function createPresenceStore(): PresenceStore {
  const present = new Map<number, AccountIds>();
  const typing = new Map<number, AccountIds>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };

  function stopTyping(projectId: number, accountId: number): void {
    clearTimeout(timers.get(`${projectId}:${accountId}`));
    timers.delete(`${projectId}:${accountId}`);
    const current = typing.get(projectId) ?? NO_ACCOUNTS;
    if (!current.includes(accountId)) return;
    typing.set(
      projectId,
      current.filter((id) => id !== accountId),
    );
    notify();
  }

  return {
    setPresent(projectId, accountIds) {
      present.set(projectId, accountIds);
      notify();
    },
    startTyping(projectId, accountId) {
      const key = `${projectId}:${accountId}`;
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => stopTyping(projectId, accountId), TYPING_TIMEOUT_MS),
      );
      const current = typing.get(projectId) ?? NO_ACCOUNTS;
      if (current.includes(accountId)) return;
      typing.set(projectId, [...current, accountId]);
      notify();
    },
    stopTyping,
    removeProject(projectId) {
      for (const accountId of typing.get(projectId) ?? NO_ACCOUNTS) stopTyping(projectId, accountId);
      if (present.delete(projectId)) notify();
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      present.clear();
      typing.clear();
      notify();
    },
    present: (projectId) => present.get(projectId) ?? NO_ACCOUNTS,
    typing: (projectId) => typing.get(projectId) ?? NO_ACCOUNTS,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const getPresenceStore = perClient(createPresenceStore);

/** Returns who has the project open; empty while the project is not followed. */
export function usePresentAccounts(projectId: number): readonly number[] {
  const presence = getPresenceStore(useQueryClient());
  return useSyncExternalStore(presence.onChange, () => presence.present(projectId));
}

/** Returns who is typing in the project, in the order in which they began. */
export function useTypingAccounts(projectId: number): readonly number[] {
  const presence = getPresenceStore(useQueryClient());
  return useSyncExternalStore(presence.onChange, () => presence.typing(projectId));
}
