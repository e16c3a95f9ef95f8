import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { PAGE_SIZE, trimHistory, WINDOW_SIZE, type Anchor, type History } from "./history.ts";
import { messageKeys } from "./keys.ts";
import { messageQueries } from "./options.ts";
import { loadNewerPage, loadOlderPage } from "./paging.ts";

/** Returns a window of a project's messages and the functions that extend it in both directions. */
export function useMessageHistory(projectId: number, anchor: Anchor) {
  const client = useQueryClient();
  const query = useQuery(messageQueries.history(projectId, anchor));
  const key = messageKeys.history(projectId, anchor);
  const cachedHistory = () => client.getQueryData<History>(key);

  const older = useMutation({ mutationFn: () => loadOlderPage(client, projectId, anchor), retry: 1 });
  const newer = useMutation({ mutationFn: () => loadNewerPage(client, projectId, anchor), retry: 1 });
  const loadOlder = () => {
    if (cachedHistory()?.hasMoreBefore && !older.isPending) older.mutate();
  };
  const loadNewer = () => {
    if (cachedHistory()?.hasMoreAfter && !newer.isPending) newer.mutate();
  };
  /** Trims the window on the side away from the reader, at least one page at a time. */
  const trim = useCallback(
    (keep: "newest" | "oldest") =>
      client.setQueryData<History>(messageKeys.history(projectId, anchor), (history) =>
        history && history.messages.length >= WINDOW_SIZE + PAGE_SIZE ? trimHistory(history, keep) : history,
      ),
    [client, projectId, anchor],
  );

  // A latest window whose end was trimmed must not be restored, so it is removed.
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
    /** Drops the window and loads it as if it were opened now. */
    restart: () => void client.resetQueries({ queryKey: key, exact: true }),
    loadOlder,
    loadNewer,
    olderFailed: older.isError,
    newerFailed: newer.isError,
    trim,
  };
}
