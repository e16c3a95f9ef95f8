/** The queries of a project's messages: one stretch per anchor, kept current by the live channel instead of by refetching. */
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

/** Fetches a page and tells the live channel how new it is, so that no event falls between the page and the subscription. */
export async function fetchPage(client: QueryClient, projectId: number, cursor: Cursor, signal?: AbortSignal) {
  // Deleted messages keep their places: one that is brought back would push the others along.
  const response = await chatHistory({ project_id: projectId, limit: PAGE_SIZE, include_deleted: true, ...cursor }, { signal });
  getCursors(client).recordSnapshot(`project:${projectId}`, response.seq);
  return response;
}

async function loadInitial(client: QueryClient, projectId: number, anchor: Anchor, signal: AbortSignal): Promise<History> {
  const cursor = anchor === "latest" ? {} : { around_id: Number(anchor.slice("around:".length)) };
  return toHistory(await fetchPage(client, projectId, cursor, signal));
}

/** Loads the same stretch again, so that a reader keeps the place. */
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
  // What happened between two pages has only reached what is about to be replaced.
  getCursors(client).recordSnapshot(`project:${projectId}`, oldestSeq);
  return reloaded;
}
