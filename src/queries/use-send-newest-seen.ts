import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useConnection } from "../sync/live/use-connection.ts";

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
export function useSendNewestSeen<T>({ lastReadId, seenId, send, onSent }: NewestSeen<T>): void {
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
