import { type QueryClient, queryOptions, useIsMutating, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Message } from "../../../contract/records.ts";
import { chatHistory } from "../../api/chat.ts";
import { firstMessage } from "../../api/messages.ts";
import { loadUntilSuccess } from "../query-client.ts";
import { getCursors } from "../topic-cursors.ts";
import { type Anchor, appendPage, type History, PAGE_SIZE, prependPage, toHistory, trimHistory, WINDOW_SIZE } from "./history.ts";
import { loadHistoryWithPatches, messageKeys, patchHistory } from "./message-cache.ts";
import { applyChanges, getPendingChanges } from "./pending-changes.ts";

type Cursor = { before_id: number } | { after_id: number } | { around_id: number } | object;

/** A project's messages: one window per anchor, kept current by the live channel instead of refetching. */
export const messageQueries = {
  history: (projectId: number, anchor: Anchor) =>
    queryOptions({
      queryKey: messageKeys.history(projectId, anchor),
      queryFn: ({ client, signal }) => {
        const loaded = client.getQueryData<History>(messageKeys.history(projectId, anchor));
        if (!loaded) return loadHistoryWithPatches(client, projectId, () => loadInitial(client, projectId, anchor, signal));
        return loadUntilSuccess(() => loadHistoryWithPatches(client, projectId, () => reload(client, projectId, anchor, loaded, signal)), signal);
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
};

/** Returns a window of a project's messages and the functions that extend it in both directions. */
export function useMessageHistory(projectId: number, anchor: Anchor) {
  const client = useQueryClient();
  const query = useQuery(messageQueries.history(projectId, anchor));
  const key = messageKeys.history(projectId, anchor);
  const cachedHistory = () => client.getQueryData<History>(key);

  const olderKey = [...key, "older"];
  const newerKey = [...key, "newer"];
  const older = useMutation({ mutationKey: olderKey, mutationFn: () => loadOlderPage(client, projectId, anchor), retry: 1 });
  const newer = useMutation({ mutationKey: newerKey, mutationFn: () => loadNewerPage(client, projectId, anchor), retry: 1 });
  // Unlike the mutation's state of the last render, this is current when the timeline asks twice before the next one.
  const isLoading = (mutationKey: readonly unknown[]) => client.isMutating({ mutationKey }) > 0;
  const loadOlder = () => {
    if (cachedHistory()?.hasMoreBefore && !isLoading(olderKey)) older.mutate();
  };
  const loadNewer = () => {
    if (cachedHistory()?.hasMoreAfter && !isLoading(newerKey)) newer.mutate();
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
    isLoadingPage: useIsMutating({ mutationKey: key }) > 0,
    olderFailed: older.isError,
    newerFailed: newer.isError,
    trim,
  };
}

/** Returns a window with the user's pending changes applied. */
export function useOptimisticHistory(history: History | undefined): History | undefined {
  const changes = getPendingChanges(useQueryClient());
  const pending = useSyncExternalStore(changes.onChange, changes.all);
  return useMemo(() => {
    if (!history) return history;
    const messages = applyChanges(history.messages, pending);
    return messages === history.messages ? history : { ...history, messages };
  }, [history, pending]);
}

/** Finds the first message at or after a point in time; rejects when there is none. */
export function useFindFirstMessageSince(projectId: number): (since: Date) => Promise<Message> {
  return useCallback((since) => firstMessage(projectId, since.toISOString()), [projectId]);
}

/** Adds the page before the first loaded message, if it still adjoins. */
export async function loadOlderPage(client: QueryClient, projectId: number, anchor: Anchor): Promise<void> {
  const key = messageKeys.history(projectId, anchor);
  const firstId = client.getQueryData<History>(key)?.messages[0]?.id;
  if (firstId === undefined) return;
  const response = await fetchPage(client, projectId, { before_id: firstId });
  // A window that was trimmed or replaced meanwhile begins elsewhere, so the page would not adjoin.
  patchHistory(client, projectId, anchor, (history) => (history.messages[0]?.id === firstId ? prependPage(history, response) : history));
}

/** Adds the page after the last loaded message, if it still adjoins. */
export async function loadNewerPage(client: QueryClient, projectId: number, anchor: Anchor): Promise<void> {
  const key = messageKeys.history(projectId, anchor);
  const lastId = client.getQueryData<History>(key)?.messages.at(-1)?.id;
  if (lastId === undefined) return;
  const response = await fetchPage(client, projectId, { after_id: lastId });
  patchHistory(client, projectId, anchor, (history) => (history.messages.at(-1)?.id === lastId ? appendPage(history, response) : history));
}

/** Fetches a page and records its `seq`, so that no event falls between the page and the live subscription. */
async function fetchPage(client: QueryClient, projectId: number, cursor: Cursor, signal?: AbortSignal) {
  // Deleted messages keep their positions, so that a restored one does not shift the others.
  const response = await chatHistory({ project_id: projectId, limit: PAGE_SIZE, include_deleted: true, ...cursor }, { signal });
  getCursors(client).recordSnapshot(`project:${projectId}`, response.seq);
  return response;
}

async function loadInitial(client: QueryClient, projectId: number, anchor: Anchor, signal: AbortSignal): Promise<History> {
  const cursor = anchor === "latest" ? {} : { around_id: Number(anchor.slice("around:".length)) };
  return toHistory(await fetchPage(client, projectId, cursor, signal));
}

/** Loads a window again, so that the reader keeps the scroll position. Pages that the reader adds meanwhile are patches, which must still adjoin. */
async function reload(client: QueryClient, projectId: number, anchor: Anchor, loaded: History, signal: AbortSignal): Promise<History> {
  if (loaded.messages.length > PAGE_SIZE) return reloadPages(client, projectId, loaded, signal);
  const initial = await loadInitial(client, projectId, anchor, signal);
  const current = client.getQueryData<History>(messageKeys.history(projectId, anchor));
  const [firstId, currentFirstId, initialFirstId] = [loaded, current, initial].map((history) => history?.messages[0]?.id ?? 0) as [number, number, number];
  // Newer messages have moved the first page away from the older pages.
  const isApart = currentFirstId < firstId && firstId < initialFirstId;
  return isApart ? reloadPages(client, projectId, loaded, signal) : initial;
}

/** Loads all messages of a window again, page by page. */
async function reloadPages(client: QueryClient, projectId: number, loaded: History, signal: AbortSignal): Promise<History> {
  const first = loaded.messages[0]!.id;
  const last = loaded.messages.at(-1)!.id;
  let reloaded: History = { messages: [], hasMoreBefore: loaded.hasMoreBefore, hasMoreAfter: true, completeThroughId: first - 1 };
  let oldestSeq: number | undefined;
  while (reloaded.hasMoreAfter && reloaded.completeThroughId < last) {
    const page = await fetchPage(client, projectId, { after_id: reloaded.completeThroughId }, signal);
    oldestSeq ??= page.seq;
    reloaded = appendPage(reloaded, page);
  }
  // Events between two pages only reached the window that is about to be replaced, so the live channel replays them.
  getCursors(client).recordSnapshot(`project:${projectId}`, oldestSeq);
  return reloaded;
}
