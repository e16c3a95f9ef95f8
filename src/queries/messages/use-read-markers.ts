/** Reads the read markers of others in a project's chat, and moves the user's own forward. */
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { moveReadMarker } from "../../api/chat.ts";
import { listReaders } from "../../api/messages.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import { projectQueries } from "../projects.ts";
import { applyReadMarker, readerKeys, viewedProjectIds } from "./read-state.ts";

const readerQueries = {
  /** Kept current by live signals. */
  project: (projectId: number) =>
    queryOptions({ queryKey: readerKeys.project(projectId), queryFn: ({ signal }) => listReaders(projectId, { signal }), staleTime: 60_000 }),
};

/** Returns how far the others have read a project's chat; undefined until loaded. */
export const useReaders = (projectId: number) => useQuery(readerQueries.project(projectId)).data;

/** Moves the read marker to the newest message once it was really seen. */
export function useReadMarker(projectId: number, lastReadId: number | null, seenId: number | null): void {
  const client = useQueryClient();

  useEffect(() => {
    if (seenId === null) return;
    viewedProjectIds.add(projectId);
    return () => void viewedProjectIds.delete(projectId);
  }, [projectId, seenId]);

  useNewestSeen({
    lastReadId: lastReadId ?? 0,
    seenId,
    send: (messageId) => moveReadMarker(projectId, messageId),
    onSent: (marker) => client.setQueryData(projectQueries.all().queryKey, (projects) => projects && (applyReadMarker(projects, marker) as typeof projects)),
  });
}

interface NewestSeen<T> {
  lastReadId: number;
  /** Null while nothing is seen. */
  seenId: number | null;
  send(id: number): Promise<T>;
  onSent(response: T): void;
}

/**
 * Sends the newest seen id: one request at a time, always for the newest id. Retries a failed one when something newer is seen or the connection
 * changes.
 */
export function useNewestSeen<T>({ lastReadId, seenId, send, onSent }: NewestSeen<T>): void {
  const { state } = useConnection();
  const failedAttempt = useRef<string | null>(null);
  const { mutate, isPending } = useMutation({ mutationFn: send, onSuccess: onSent });

  useEffect(() => {
    if (seenId === null || isPending || seenId <= lastReadId) return;
    const attempt = `${seenId} ${state}`;
    if (failedAttempt.current === attempt) return;
    mutate(seenId, { onError: () => (failedAttempt.current = attempt) });
  }, [seenId, lastReadId, isPending, state, mutate]);
}
