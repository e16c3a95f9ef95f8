import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { appendPage, PAGE_SIZE, prependPage, trimHistory, WINDOW_SIZE, type Anchor, type History } from "./history.ts";
import { messageKeys } from "./keys.ts";
import { fetchPage, messageQueries } from "./options.ts";

/** A stretch of a project's messages and the ways to make it longer in both directions. */
export function useMessageHistory(projectId: number, anchor: Anchor) {
  const client = useQueryClient();
  const query = useQuery(messageQueries.history(projectId, anchor));
  const key = messageKeys.history(projectId, anchor);
  const read = () => client.getQueryData<History>(key);
  const change = (patch: (history: History) => History) => client.setQueryData<History>(key, (history) => history && patch(history));

  const older = useMutation({
    mutationFn: (before: number) => fetchPage(client, projectId, { before_id: before }),
    // A stretch that was cut meanwhile begins elsewhere: the page would not join.
    onSuccess: (answer, before) => change((history) => (history.messages[0]?.id === before ? prependPage(history, answer) : history)),
    retry: 1,
  });
  const newer = useMutation({
    mutationFn: (after: number) => fetchPage(client, projectId, { after_id: after }),
    onSuccess: (answer, after) => change((history) => (history.messages.at(-1)?.id === after ? appendPage(history, answer) : history)),
    retry: 1,
  });

  const loadOlder = () => {
    const history = read();
    const first = history?.messages[0];
    if (history?.hasMoreBefore && first && !older.isPending) older.mutate(first.id);
  };
  const loadNewer = () => {
    const history = read();
    const last = history?.messages.at(-1);
    if (history?.hasMoreAfter && last && !newer.isPending) newer.mutate(last.id);
  };
  /** Cuts what lies far from the reader, a page at a time. */
  const trim = useCallback(
    (keep: "newest" | "oldest") =>
      client.setQueryData<History>(messageKeys.history(projectId, anchor), (history) =>
        history && history.messages.length >= WINDOW_SIZE + PAGE_SIZE ? trimHistory(history, keep) : history,
      ),
    [client, projectId, anchor],
  );

  // An end that was cut off is no end to come back to.
  useEffect(
    () => () => {
      if (anchor === "latest" && client.getQueryData<History>(messageKeys.history(projectId, anchor))?.hasMoreAfter) {
        client.removeQueries({ queryKey: messageKeys.history(projectId, anchor), exact: true });
      }
    },
    [client, projectId, anchor],
  );

  return {
    history: query.data,
    error: query.data ? null : query.error,
    reload: query.refetch,
    /** Forgets the stretch and loads it as if it were opened now. */
    restart: () => void client.resetQueries({ queryKey: key, exact: true }),
    loadOlder,
    loadNewer,
    olderFailed: older.isError,
    newerFailed: newer.isError,
    trim,
  };
}
