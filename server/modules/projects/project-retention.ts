import { DAY, MINUTE } from "../../lib/clock.ts";

/** Projects deleted longer ago are erased. */
export const PROJECT_RETENTION_MS = 30 * DAY;
/** How long a deletion can be undone: one minute less than the retention time, so that no restore races with the erasing. */
export const PROJECT_RESTORABLE_MS = PROJECT_RETENTION_MS - MINUTE;
/** The deletion time of projects that a job of their own erases: so long ago that nobody restores or lists them. */
export const HIDDEN_FOR_ERASING = 0;
