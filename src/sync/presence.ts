/** Tracks who has a project open and who is typing in it, from live signals only and until the connection is lost. */
import { useSyncExternalStore } from "react";
import { useClient } from "../client/client.ts";
import { createEmitter } from "../lib/store.ts";

/** A typing signal lasts this long. */
export const TYPING_TIMEOUT_MS = 6_000;

type AccountIds = readonly number[];
const NO_ACCOUNTS: AccountIds = [];

export type PresenceStore = ReturnType<typeof createPresenceStore>;

export function createPresenceStore() {
  const present = new Map<number, AccountIds>();
  const typing = new Map<number, AccountIds>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const { emit, subscribe } = createEmitter();

  function stopTyping(projectId: number, accountId: number): void {
    clearTimeout(timers.get(`${projectId}:${accountId}`));
    timers.delete(`${projectId}:${accountId}`);
    const current = typing.get(projectId) ?? NO_ACCOUNTS;
    if (!current.includes(accountId)) return;
    typing.set(
      projectId,
      current.filter((id) => id !== accountId),
    );
    emit();
  }

  return {
    setPresent(projectId: number, accountIds: AccountIds) {
      present.set(projectId, accountIds);
      emit();
    },
    startTyping(projectId: number, accountId: number) {
      const key = `${projectId}:${accountId}`;
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => stopTyping(projectId, accountId), TYPING_TIMEOUT_MS),
      );
      const current = typing.get(projectId) ?? NO_ACCOUNTS;
      if (current.includes(accountId)) return;
      typing.set(projectId, [...current, accountId]);
      emit();
    },
    /** Called when a message of the account has arrived. */
    stopTyping,
    /** Called when the project is no longer followed. */
    removeProject(projectId: number) {
      for (const accountId of typing.get(projectId) ?? NO_ACCOUNTS) stopTyping(projectId, accountId);
      if (present.delete(projectId)) emit();
    },
    /** Called when the connection is lost, after which presence is unknown. */
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      present.clear();
      typing.clear();
      emit();
    },
    /** Returns the same array until it changes. */
    present: (projectId: number) => present.get(projectId) ?? NO_ACCOUNTS,
    /** Returns the accounts in the order in which they began to type. */
    typing: (projectId: number) => typing.get(projectId) ?? NO_ACCOUNTS,
    subscribe,
  };
}

function usePresence<T>(select: (presence: PresenceStore) => T): T {
  const { presence } = useClient();
  return useSyncExternalStore(presence.subscribe, () => select(presence));
}

/** Returns who has the project open; empty while the project is not followed. */
export const usePresentAccounts = (projectId: number): AccountIds => usePresence(({ present }) => present(projectId));

/** Returns who is typing in the project, in the order in which they began. */
export const useTypingAccounts = (projectId: number): AccountIds => usePresence(({ typing }) => typing(projectId));
