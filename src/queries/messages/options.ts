/** Queries of a project's messages: one window per anchor, kept current by the live channel instead of refetching. */
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { chatHistory } from "../../api/messages.ts";
import { getCursors } from "../live/cursors.ts";
import { loadUntilSuccess } from "../until-loaded.ts";
import { loadWithPatches } from "./cache.ts";
import { appendPage, PAGE_SIZE, toHistory, type Anchor, type History } from "./history.ts";
import { messageKeys } from "./keys.ts";

export const messageQueries = {
  history: (projectId: number, anchor: Anchor) =>
    queryOptions({
      queryKey: messageKeys.history(projectId, anchor),
      queryFn: ({ client, signal }) => {
        const loaded = client.getQueryData<History>(messageKeys.history(projectId, anchor));
        const load = () =>
          loaded && loaded.messages.length > PAGE_SIZE ? reload(client, projectId, loaded, signal) : loadInitial(client, projectId, anchor, signal);
        return loaded ? loadUntilSuccess(() => loadWithPatches(client, projectId, load), signal) : loadWithPatches(client, projectId, load);
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
};

type Cursor = { before_id: number } | { after_id: number } | { around_id: number } | object;

/** Fetches a page and records its `seq`, so that no event falls between the page and the live subscription. */
export async function fetchPage(client: QueryClient, projectId: number, cursor: Cursor, signal?: AbortSignal) {
  // Deleted messages keep their positions, so that a restored one does not shift the others.
  const response = await chatHistory({ project_id: projectId, limit: PAGE_SIZE, include_deleted: true, ...cursor }, { signal });
  getCursors(client).recordSnapshot(`project:${projectId}`, response.seq);
  return response;
}

async function loadInitial(client: QueryClient, projectId: number, anchor: Anchor, signal: AbortSignal): Promise<History> {
  const cursor = anchor === "latest" ? {} : { around_id: Number(anchor.slice("around:".length)) };
  return toHistory(await fetchPage(client, projectId, cursor, signal));
}

/** Loads the same window again, so that the reader keeps the scroll position. */
async function reload(client: QueryClient, projectId: number, loaded: History, signal: AbortSignal): Promise<History> {
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
