/** What belongs to the cached data of one client, beside the query cache, and is used only by queries and live updates. */
import { createEmitter } from "../lib/store.ts";
import type { PendingCommentChange } from "./comments/use-comments.ts";
import { createProgressStore } from "./files/cache-updates.ts";
import type { FavoriteChange } from "./favorites/favorites.ts";
import type { PendingMessageChange } from "./messages/pending-changes.ts";
import { createPendingChanges } from "./pending-changes.ts";
import { createLoadRecorder } from "./query-client.ts";

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
  pendingFavoriteChanges: createPendingChanges<FavoriteChange>(),
  /** By file: the last read id, so that a replayed event counts as read, and the newest unread comment of others. */
  commentReads: { lastReadIds: new Map<number, number>(), newestUnreadIds: new Map<number, number>() },
  /** Whether the service refuses the number of messages that this client asks for. */
  historyLimit: { isRefused: false },
  /** Projects whose newest messages the user is looking at, so that arriving messages count as read at once. */
  viewedProjectIds: new Set<number>(),
  processingProgress: createProgressStore(),
});

/** The cursors of a query cache, which are valid only for its content. */
export function createCursors() {
  let cursors: ReadonlyMap<string, number> = new Map();
  const moved = createEmitter<string>();
  const set = (topic: string, seq: number) => {
    cursors = new Map(cursors).set(topic, seq);
  };
  return {
    get: (topic: string) => cursors.get(topic),
    /** Returns the map that `applyEvents` works on, which is never mutated. */
    all: () => cursors,
    replace: (next: ReadonlyMap<string, number>) => {
      cursors = next;
    },
    set,
    /**
     * Records the `seq` of a loaded page. If later events were applied before the page arrived, the cursor moves back, so that they are replayed. It
     * never moves an existing cursor forward, because other cached records may need the events in between.
     */
    recordSnapshot(topic: string, seq: number | undefined) {
      const current = cursors.get(topic);
      if (seq === undefined || (current !== undefined && current <= seq)) return;
      set(topic, seq);
      moved.emit(topic);
    },
    clear: () => {
      cursors = new Map();
    },
    /** Calls `listener` when a topic gets its first cursor or moves back; returns the unsubscribe function. */
    onMoved: moved.subscribe,
  };
}
