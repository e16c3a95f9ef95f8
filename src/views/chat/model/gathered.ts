/** News that comes one by one, told together: whoever listens to it hears one sentence instead of a stream. */

/** Milliseconds from the first of them to the telling. */
const BATCH_WINDOW_MS = 2_000;

export interface BatchedAnnouncements {
  /** The newest there is by now. What is there at the first call is no news. */
  update(newestId: number): void;
  stop(): void;
}

/** `announceSince` is asked for everything behind `sinceId`. */
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
