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

/**
 * Moves the read marker to the newest message once it was really seen. It sends one request at a time, always for the newest message, and
 * retries a failed one when something newer is seen or the connection changes.
 */
export function useReadMarker(projectId: number, lastReadId: number | null, seenId: number | null): void {
  const client = useQueryClient();
  const { state } = useConnection();
  const failedAttempt = useRef<string | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (messageId: number) => moveReadMarker(projectId, messageId),
    onSuccess: (marker) => client.setQueryData(projectQueries.all().queryKey, (projects) => projects && (applyReadMarker(projects, marker) as typeof projects)),
  });

  useEffect(() => {
    if (seenId === null) return;
    viewedProjectIds.add(projectId);
    return () => void viewedProjectIds.delete(projectId);
  }, [projectId, seenId]);

  useEffect(() => {
    if (seenId === null || isPending || seenId <= (lastReadId ?? 0)) return;
    const attempt = `${seenId} ${state}`;
    if (failedAttempt.current === attempt) return;
    mutate(seenId, { onError: () => (failedAttempt.current = attempt) });
  }, [seenId, lastReadId, isPending, state, mutate]);
}
