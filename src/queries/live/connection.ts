import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useWaitingCount } from "../outbox/use-outbox.ts";
import { getPresenceStore } from "../nearby/nearby.ts";
import { getLiveSubscriber, startLiveUpdates } from "./live-of.ts";
import type { LiveState } from "./subscriber.ts";

export interface ConnectionState {
  state: LiveState["phase"];
  /** Epoch milliseconds since when the live channel is gone; null while it is there. */
  since: number | null;
  /** Messages that wait for the connection. */
  waitingCount: number;
}

/** How the connection is, for the line at the top. */
export function useConnection(): ConnectionState {
  const subscriber = getLiveSubscriber(useQueryClient());
  const { phase, since } = useSyncExternalStore(subscriber.onChange, subscriber.state);
  const waitingCount = useWaitingCount();
  return useMemo(() => ({ state: phase, since, waitingCount }), [phase, since, waitingCount]);
}

/** Runs the live channel for the person who is signed in. Once, in the shell. */
export function useLiveUpdates(user: { accountId: number; organisationId: number }): void {
  const client = useQueryClient();
  const { accountId, organisationId } = user;
  useEffect(() => startLiveUpdates(client, { accountId, organisationId }), [client, accountId, organisationId]);
}

/** Follows a project while its chat is open. */
export function useProjectTopic(projectId: number): void {
  const client = useQueryClient();
  useEffect(() => follow(client, projectId, { waitForPage: true }), [client, projectId]);
}

/** Follows a project from now on, where no chat of it is open; null: none. */
export function useProjectEvents(projectId: number | null): void {
  const client = useQueryClient();
  useEffect(() => (projectId === null ? undefined : follow(client, projectId)), [client, projectId]);
}

/** At most this often the others are told that somebody is writing. */
const TYPING_INTERVAL_MS = 2_000;

/** `notify` at every change of the text tells the others; `reset` lets the next one be told at once. */
export function useTypingSignal(projectId: number) {
  const subscriber = getLiveSubscriber(useQueryClient());
  return useMemo(() => throttleTyping(() => subscriber.sendTyping(projectId)), [subscriber, projectId]);
}

function throttleTyping(send: () => void) {
  let lastSentAt = Number.NEGATIVE_INFINITY;
  return {
    notify() {
      const now = performance.now();
      if (now - lastSentAt < TYPING_INTERVAL_MS) return;
      lastSentAt = now;
      send();
    },
    reset() {
      lastSentAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function follow(client: QueryClient, projectId: number, options?: { waitForPage: boolean }): () => void {
  const subscriber = getLiveSubscriber(client);
  const topic = `project:${projectId}`;
  const unfollow = subscriber.follow(topic, options);
  return () => {
    unfollow();
    if (!subscriber.isFollowing(topic)) getPresenceStore(client).removeProject(projectId);
  };
}
