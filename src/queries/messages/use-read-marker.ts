import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { moveReadMarker } from "../../api/messages.ts";
import { useConnection } from "../live/connection.ts";
import { viewedProjectIds } from "../live/seen.ts";
import { projectQueries } from "../projects/options.ts";
import { applyReadMarker } from "../projects/unread.ts";

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
