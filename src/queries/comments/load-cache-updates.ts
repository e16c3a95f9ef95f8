import { lazyOnce } from "../../lib/lazy-chunks.ts";

/** Loads the comments module with the first file view, comment event or unsent comment, which keeps it out of the initial load. */
export const loadCommentsModule = lazyOnce(() => import("./cache-updates.ts"));
