/** The query of a file's comments: loaded once, kept current by the live channel. */
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Comment } from "../../../contract/comment-records.ts";
import { listComments } from "../../api/comments.ts";
import { cursorsOf } from "../live/cursors.ts";
import { untilLoaded } from "../until-loaded.ts";
import { loadWith } from "./cache.ts";
import { commentKeys } from "./keys.ts";
import { reloaded, type FileComments } from "./list.ts";

/** While nothing live tells of news. */
const LOOK_AGAIN_MS = 5_000;

export const commentQueries = {
  /** `isLive`: the live channel tells of every change. */
  file: (fileId: number, projectId: number, isLive: boolean) =>
    queryOptions({
      queryKey: commentKeys.file(fileId),
      queryFn: ({ client, signal }) => {
        const run = () => loadWith(client, fileId, () => load(client, fileId, projectId, signal));
        return client.getQueryData(commentKeys.file(fileId)) === undefined ? run() : untilLoaded(run, signal);
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      refetchInterval: isLive ? false : LOOK_AGAIN_MS,
    }),
};

async function load(client: QueryClient, fileId: number, projectId: number, signal: AbortSignal): Promise<FileComments> {
  const comments: Comment[] = [];
  let oldest: number | undefined;
  let lastRead = 0;
  for (let more = true; more;) {
    const page = await listComments(fileId, comments.at(-1)?.id, { signal });
    comments.push(...page.data);
    oldest ??= page.seq;
    lastRead = page.last_read_comment_id;
    more = page.has_more && page.data.length > 0;
  }
  // What has happened since comes again, into what this answers.
  cursorsOf(client).noteSnapshot(`project:${projectId}`, oldest);
  return reloaded(client.getQueryData<FileComments>(commentKeys.file(fileId)), { comments, lastRead });
}
