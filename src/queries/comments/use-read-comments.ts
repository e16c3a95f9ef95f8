import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { markCommentsRead } from "../../api/comments.ts";
import { useConnection } from "../live/connection.ts";
import { applyCommentsRead } from "./put.ts";

/**
 * Marks comments as read up to `seenId`, the newest that was really seen. It sends one request at a time, always for the newest comment, and
 * retries a failed one when something newer is seen or the connection changes.
 */
export function useReadComments(fileId: number, lastRead: number, seenId: number | null): void {
  const client = useQueryClient();
  const { state } = useConnection();
  const failedAttempt = useRef<string | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (commentId: number) => markCommentsRead(fileId, commentId),
    onSuccess: (read) => applyCommentsRead(client, read),
  });
  useEffect(() => {
    if (seenId === null || isPending || seenId <= lastRead) return;
    const attempt = `${seenId} ${state}`;
    if (failedAttempt.current === attempt) return;
    mutate(seenId, { onError: () => (failedAttempt.current = attempt) });
  }, [seenId, lastRead, isPending, state, mutate]);
}
