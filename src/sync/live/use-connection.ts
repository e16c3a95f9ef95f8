import { useEffect, useMemo } from "react";
import { type Client, useClient } from "../../client/client.ts";
import { useStore } from "../../lib/store.ts";
import { useWaitingCounts } from "../outbox/use-outbox.ts";
import { startLiveUpdates } from "./live-updates.ts";

export type ConnectionState = ReturnType<typeof useConnection>;

/** Returns the phase of the live connection, since when it has been lost (epoch milliseconds; null while it is up), and how many messages and comments wait. */
export function useConnection() {
  const { phase, since } = useStore(useClient().live);
  const { messages: waitingMessages, comments: waitingComments } = useWaitingCounts();
  return useMemo(() => ({ state: phase, since, waitingMessages, waitingComments }), [phase, since, waitingMessages, waitingComments]);
}

/** Runs the live channel for the signed-in user; used once, in the app shell. */
export function useLiveUpdates(user: { accountId: number; organisationId: number }): void {
  const client = useClient();
  const { accountId, organisationId } = user;
  useEffect(() => startLiveUpdates(client, { accountId, organisationId }), [client, accountId, organisationId]);
}

/** Follows a project while its chat is open. */
export function useFollowOpenChat(projectId: number): void {
  const client = useClient();
  useEffect(() => follow(client, projectId, { waitForPage: true }), [client, projectId]);
}

/** Follows a project whose chat is not open, starting with the next event; null follows none. */
export function useFollowProject(projectId: number | null): void {
  const client = useClient();
  useEffect(() => (projectId === null ? undefined : follow(client, projectId)), [client, projectId]);
}

/** Follows several projects, such as those whose files a playlist has. */
export function useFollowProjects(projectIds: readonly number[]): void {
  const client = useClient();
  const ids = [...new Set(projectIds)].toSorted((a, b) => a - b).join();
  useEffect(() => {
    const stops = ids === "" ? [] : ids.split(",").map((id) => follow(client, Number(id)));
    return () => stops.forEach((stop) => stop());
  }, [client, ids]);
}

/** Typing signals are sent at most this often. */
const TYPING_INTERVAL_MS = 2_000;

/** Returns `notify`, to be called at every change of the text, and `reset`, after which the next call sends its signal at once. */
export function useTypingSignal(projectId: number) {
  const { live } = useClient();
  return useMemo(() => throttleTyping(() => live.sendTyping(projectId)), [live, projectId]);
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

function follow({ live, presence }: Client, projectId: number, options?: { waitForPage: boolean }): () => void {
  const topic = `project:${projectId}`;
  const unfollow = live.follow(topic, options);
  return () => {
    unfollow();
    if (!live.isFollowing(topic)) presence.removeProject(projectId);
  };
}
