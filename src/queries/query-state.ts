/** What belongs to the cached data of one client, beside the query cache, and is used only by queries and live updates. */
import type { PendingCommentChange } from "./comments/use-comments.ts";
import { createProgressStore } from "./files/cache-updates.ts";
import type { PendingMessageChange } from "./messages/pending-changes.ts";
import { createPendingChanges } from "./pending-changes.ts";
import { createLoadRecorder } from "./query-client.ts";
import { createCursors } from "./topic-cursors.ts";

export type QueryState = ReturnType<typeof createQueryState>;

export const createQueryState = () => ({
  /** The last applied event of each topic. */
  cursors: createCursors(),
  /** Changes made during loads. */
  loads: createLoadRecorder(),
  refetches: {
    /** Hashes of the queries that are refetched when the load in flight ends. */
    awaitingLoad: new Set<string>(),
    /** Timers by the hash of the key that is refetched. */
    scheduled: new Map<string, ReturnType<typeof setTimeout>>(),
  },
  /** Changes that the service has not confirmed. */
  pendingMessageChanges: createPendingChanges<PendingMessageChange>(),
  pendingCommentChanges: createPendingChanges<PendingCommentChange>(),
  /** By file: the last read id, so that a replayed event counts as read, and the newest unread comment of others. */
  commentReads: { lastReadIds: new Map<number, number>(), newestUnreadIds: new Map<number, number>() },
  /** Projects whose newest messages the user is looking at, so that arriving messages count as read at once. */
  viewedProjectIds: new Set<number>(),
  processingProgress: createProgressStore(),
});
