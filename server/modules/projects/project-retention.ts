import { DAY, MINUTE } from "../../lib/clock.ts";

/** Projects deleted longer ago are erased. */
export const PROJECT_RETENTION_MS = 30 * DAY;
/** How long a deletion can be undone: one minute less than the retention time, so that no restore races with the erasing. */
export const PROJECT_RESTORABLE_MS = PROJECT_RETENTION_MS - MINUTE;
