import { queryOptions, useIsMutating, useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { findFirstMessage } from "../../../contract/operations/messages.ts";
import type { Message } from "../../../contract/records.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { useStore } from "../../lib/store.ts";
import { isUnconfirmed } from "../describe-error.ts";
import { loadUntilSuccess } from "../query-client.ts";
import { useWhenReachable } from "../recovery.ts";
import { type WindowStart, appendPage, appendPageAfter, type History, PAGE_SIZE, prependPageBefore, toHistory, trimHistory, WINDOW_SIZE } from "./history.ts";
import { messageKeys, patchHistory } from "./cache-updates.ts";
import { applyMessageChanges } from "./pending-changes.ts";

const RETRY_DELAY_MS = 1_000;

type Cursor = { before_id: number } | { after_id: number } | { around_id: number } | object;

/** A project's messages: one window per start, kept current by the live channel instead of refetching. */
export const messageQueries = {
  history: (projectId: number, windowStart: WindowStart) =>
    queryOptions({
      queryKey: messageKeys.history(projectId, windowStart),
      queryFn: ({ queryKey, signal, meta }) => {
        const { client } = meta!;
        const load = () =>
          client.queryState.loads.loadWithChanges(queryKey, () => {
            const loaded = client.queryClient.getQueryData<History>(queryKey);
            return loaded ? reload(client, projectId, windowStart, loaded, signal) : loadInitial(client, projectId, windowStart, signal);
          });
        if (!client.queryClient.getQueryData(queryKey)) return load();
        // A reload that is canceled because the reader leaves the chat runs again at the next visit.
        signal.addEventListener("abort", () => client.queryClient.getQueryCache().find({ queryKey })?.invalidate(), { once: true });
        return loadUntilSuccess(load, signal);
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
};

/** A window of a project's messages and the functions that extend it in both directions. */
export interface LoadedWindow {
  history: History | undefined;
  /** Null while there is a window to show. */
  error: Error | null;
  reload(): unknown;
  /** Drops the window and loads it as if it were opened now. */
  restart(): void;
  loadOlder(): void;
  loadNewer(): void;
  isLoadingPage: boolean;
  olderFailed: boolean;
  newerFailed: boolean;
  /** Trims the window on the side away from the reader. */
  trim(keep: "newest" | "oldest"): void;
}

export function useMessageHistory(projectId: number, windowStart: WindowStart, isEnabled = true): LoadedWindow {
  const client = useClient();
  const query = useQuery({ ...messageQueries.history(projectId, windowStart), enabled: isEnabled });
  const key = messageKeys.history(projectId, windowStart);
  const older = usePager(projectId, windowStart, "older", query.data);
  const newer = usePager(projectId, windowStart, "newer", query.data);
  /** Trims the window on the side away from the reader, at least one page at a time. */
  const trim = useCallback(
    (keep: "newest" | "oldest") => {
      const isTooLong = (history: History | undefined) => history !== undefined && history.messages.length >= WINDOW_SIZE + PAGE_SIZE;
      // Without this check a reload in flight would be trimmed, too.
      if (!isTooLong(client.queryClient.getQueryData(messageKeys.history(projectId, windowStart)))) return;
      patchHistory(client, projectId, windowStart, (history) => (isTooLong(history) ? trimHistory(history, keep) : history));
    },
    [client, projectId, windowStart],
  );

  // A latest window whose end was trimmed must not be restored, so it is removed.
  useEffect(
    () => () => {
      if (windowStart === "latest" && client.queryClient.getQueryData<History>(messageKeys.history(projectId, windowStart))?.hasMoreAfter) {
        client.queryClient.removeQueries({ queryKey: messageKeys.history(projectId, windowStart), exact: true });
      }
    },
    [client, projectId, windowStart],
  );

  return {
    history: query.data,
    error: query.data ? null : query.error,
    reload: query.refetch,
    restart: () => void client.queryClient.resetQueries({ queryKey: key, exact: true }),
    loadOlder: older.load,
    loadNewer: newer.load,
    isLoadingPage: useIsMutating({ mutationKey: key }) > 0,
    olderFailed: older.hasFailed,
    newerFailed: newer.hasFailed,
    trim,
  };
}

type Direction = "older" | "newer";

/** Extends a window in one direction. */
function usePager(projectId: number, windowStart: WindowStart, direction: Direction, history: History | undefined) {
  const client = useClient();
  const key = messageKeys.history(projectId, windowStart);
  const mutationKey = [...key, direction];
  const { mutate, isError, error, variables } = useMutation({
    mutationKey,
    mutationFn: (edgeId: number) => loadPage(client, projectId, windowStart, direction, edgeId),
  });
  function load() {
    const edgeId = edgeWithMore(client.queryClient.getQueryData<History>(key), direction);
    // The mutation cache is current even if the timeline requests a page twice before the next render, unlike the mutation's state.
    const isLoading = client.queryClient.isMutating({ mutationKey, predicate: ({ state }) => state.variables === edgeId }) > 0;
    if (edgeId !== undefined && !isLoading) mutate(edgeId);
  }
  // An error of a page that the window no longer needs does not count.
  const hasFailed = isError && variables === edgeWithMore(history, direction);
  useWhenReachable(hasFailed && isUnconfirmed(error), load);
  return { load, hasFailed };
}

/** Returns the id of the message at the edge of a window, or undefined if nothing is beyond it. */
function edgeWithMore(history: History | undefined, direction: Direction): number | undefined {
  if (!history) return undefined;
  const [hasMore, edge] = direction === "older" ? [history.hasMoreBefore, history.messages[0]] : [history.hasMoreAfter, history.messages.at(-1)];
  return hasMore ? edge?.id : undefined;
}

/** Returns a window with the user's pending changes applied. */
export function useOptimisticHistory(history: History | undefined): History | undefined {
  const pending = useStore(useClient().queryState.pendingMessageChanges);
  return useMemo(() => {
    if (!history) return history;
    const messages = applyMessageChanges(history.messages, pending);
    return messages === history.messages ? history : { ...history, messages };
  }, [history, pending]);
}

/** Finds the first message at or after a point in time; rejects when there is none. */
export function useFindFirstMessageSince(projectId: number): (since: Date) => Promise<Message> {
  const { api } = useClient();
  return useCallback((since) => api.data(findFirstMessage, { params: { project_id: projectId }, query: { since: since.toISOString() } }), [api, projectId]);
}

/** Adds the page beyond the message `edgeId`, unless the window no longer contains that message. */
export async function loadPage(client: ClientData, projectId: number, windowStart: WindowStart, direction: Direction, edgeId: number): Promise<void> {
  const cursor = direction === "older" ? { before_id: edgeId } : { after_id: edgeId };
  const response = await retryAfterDelay(() => fetchPage(client, projectId, cursor));
  const addPage = direction === "older" ? prependPageBefore : appendPageAfter;
  patchHistory(client, projectId, windowStart, (history) => addPage(history, edgeId, response));
}

/** Retries once, even in a hidden tab, where the query library's retries pause until the tab is shown and the browser counts as online. */
const retryAfterDelay = <T>(request: () => Promise<T>): Promise<T> =>
  request().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    return request();
  });

/** Fetches a page and records its `seq`, so that no event falls between the page and the live subscription. */
async function fetchPage(client: ClientData, projectId: number, cursor: Cursor, signal?: AbortSignal) {
  // Deleted messages keep their positions, so that a restored one does not shift the others.
  const body = { project_id: projectId, limit: PAGE_SIZE, include_deleted: true, ...cursor };
  const response = await client.api.call(chatHistory, { body }, { signal });
  client.queryState.cursors.recordSnapshot(`project:${projectId}`, response.seq);
  return response;
}

async function loadInitial(client: ClientData, projectId: number, windowStart: WindowStart, signal: AbortSignal): Promise<History> {
  const cursor = windowStart === "latest" ? {} : { around_id: Number(windowStart.slice("around:".length)) };
  return toHistory(await fetchPage(client, projectId, cursor, signal));
}

/**
 * Reloads a window so that the reader keeps the scroll position. A window of at most one page is loaded as on opening; if the new page overlaps the
 * previous window without covering it, the whole previous window is reloaded, too.
 */
async function reload(client: ClientData, projectId: number, windowStart: WindowStart, loaded: History, signal: AbortSignal): Promise<History> {
  if (loaded.messages.length > PAGE_SIZE) return reloadPages(client, projectId, loaded, signal);
  const initial = await loadInitial(client, projectId, windowStart, signal);
  const [before, now] = [idRange(loaded), idRange(initial)];
  // The window's last message may be the user's own, beyond a gap, so the gapless part ends at `completeThroughId`.
  const overlaps = before.first <= now.last && now.first <= loaded.completeThroughId;
  if (!overlaps || (now.first <= before.first && before.last <= now.last)) return initial;
  const reloaded = await reloadPages(client, projectId, loaded, signal);
  return appendPageAfter(reloaded, now.first, { data: initial.messages, has_more_after: initial.hasMoreAfter });
}

const idRange = ({ messages }: History) => ({ first: messages[0]?.id ?? 0, last: messages.at(-1)?.id ?? 0 });

/** Loads all messages of a window again, page by page. */
async function reloadPages(client: ClientData, projectId: number, loaded: History, signal: AbortSignal): Promise<History> {
  const first = loaded.messages[0]!.id;
  const last = loaded.messages.at(-1)!.id;
  let reloaded: History = { messages: [], hasMoreBefore: loaded.hasMoreBefore, hasMoreAfter: true, completeThroughId: first - 1 };
  let oldestSeq: number | undefined;
  while (reloaded.hasMoreAfter && reloaded.completeThroughId < last) {
    const page = await fetchPage(client, projectId, { after_id: reloaded.completeThroughId }, signal);
    oldestSeq ??= page.seq;
    reloaded = appendPage(reloaded, page);
  }
  // Events between two pages changed only the window that is about to be replaced, so the live channel must replay them.
  client.queryState.cursors.recordSnapshot(`project:${projectId}`, oldestSeq);
  return reloaded;
}
