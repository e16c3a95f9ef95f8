import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useWaitingCount } from "../outbox/use-outbox.ts";
import { nearbyOf } from "../nearby/nearby.ts";
import { liveOf, startLive } from "./live-of.ts";
import type { LiveState } from "./subscriber.ts";

export interface ConnectionState {
  state: LiveState["phase"];
  /** Epoch milliseconds since when the live channel is gone; null while it is there. */
  since: number | null;
  /** Messages that wait for the connection. */
  waiting: number;
}

/** How the connection is, for the line at the top. */
export function useConnection(): ConnectionState {
  const live = liveOf(useQueryClient());
  const { phase, since } = useSyncExternalStore(live.onChange, live.state);
  const waiting = useWaitingCount();
  return useMemo(() => ({ state: phase, since, waiting }), [phase, since, waiting]);
}

/** Runs the live channel for the person who is signed in. Once, in the shell. */
export function useLive(person: { accountId: number; organisationId: number }): void {
  const client = useQueryClient();
  const { accountId, organisationId } = person;
  useEffect(() => startLive(client, { accountId, organisationId }), [client, accountId, organisationId]);
}

/** Follows a project while its chat is open. */
export function useProjectTopic(projectId: number): void {
  const client = useQueryClient();
  useEffect(() => follow(client, projectId, { fromPage: true }), [client, projectId]);
}

/** Follows a project from now on, where no chat of it is open; null: none. */
export function useProjectEvents(projectId: number | null): void {
  const client = useQueryClient();
  useEffect(() => (projectId === null ? undefined : follow(client, projectId)), [client, projectId]);
}

/** At most this often the others are told that somebody is writing. */
const WRITING_MS = 2_000;

/** `note` at every change of the text tells the others; `done` lets the next one be told at once. */
export function useWriting(projectId: number) {
  const live = liveOf(useQueryClient());
  return useMemo(() => atPace(() => live.writing(projectId)), [live, projectId]);
}

function atPace(tell: () => void) {
  let told = Number.NEGATIVE_INFINITY;
  return {
    note() {
      const now = performance.now();
      if (now - told < WRITING_MS) return;
      told = now;
      tell();
    },
    done() {
      told = Number.NEGATIVE_INFINITY;
    },
  };
}

function follow(client: QueryClient, projectId: number, options?: { fromPage: boolean }): () => void {
  const live = liveOf(client);
  const topic = `project:${projectId}`;
  const end = live.follow(topic, options);
  return () => {
    end();
    if (!live.follows(topic)) nearbyOf(client).leave(projectId);
  };
}
