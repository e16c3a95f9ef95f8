/** Query of a file's comments: loaded once, kept current by the live channel. */
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Comment } from "../../../contract/comment-records.ts";
import { listComments } from "../../api/comments.ts";
import { getCursors } from "../live/cursors.ts";
import { loadUntilSuccess } from "../until-loaded.ts";
import { loadWithPatches } from "./cache.ts";
import { commentKeys } from "./keys.ts";
import { mergeReloaded, type FileComments } from "./list.ts";

/** Applies while the live channel is down. */
const POLL_INTERVAL_MS = 5_000;

export const commentQueries = {
  /** `isLive`: the live channel reports every change, so polling is off. */
  file: (fileId: number, projectId: number, isLive: boolean) =>
    queryOptions({
      queryKey: commentKeys.file(fileId),
      queryFn: ({ client, signal }) => {
        const run = () => loadWithPatches(client, fileId, () => load(client, fileId, projectId, signal));
        return client.getQueryData(commentKeys.file(fileId)) === undefined ? run() : loadUntilSuccess(run, signal);
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      refetchInterval: isLive ? false : POLL_INTERVAL_MS,
    }),
};

async function load(client: QueryClient, fileId: number, projectId: number, signal: AbortSignal): Promise<FileComments> {
  const comments: Comment[] = [];
  let oldestSeq: number | undefined;
  let lastRead = 0;
  for (let hasMore = true; hasMore;) {
    const page = await listComments(fileId, comments.at(-1)?.id, { signal });
    comments.push(...page.data);
    oldestSeq ??= page.seq;
    lastRead = page.last_read_comment_id;
    hasMore = page.has_more && page.data.length > 0;
  }
  // The live channel replays later events onto the data returned here.
  getCursors(client).recordSnapshot(`project:${projectId}`, oldestSeq);
  return mergeReloaded(client.getQueryData<FileComments>(commentKeys.file(fileId)), { comments, lastRead });
}
