/** Batches announcements so that screen readers announce one sentence instead of a stream. */

/** Milliseconds from the first new message to the announcement. */
const BATCH_WINDOW_MS = 2_000;

export interface BatchedAnnouncements {
  /** Sets the newest message; messages present at the first call are not announced. */
  update(newestId: number): void;
  stop(): void;
}

/** `announceSince` announces everything after `sinceId`. */
export function batchedAnnouncements(announceSince: (sinceId: number) => void): BatchedAnnouncements {
  let announcedThroughId: number | null = null;
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    update(newestId) {
      newest = Math.max(newest, newestId);
      announcedThroughId ??= newestId;
      if (newest <= announcedThroughId || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        const sinceId = announcedThroughId!;
        announcedThroughId = newest;
        announceSince(sinceId);
      }, BATCH_WINDOW_MS);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
