import { lazyOnce } from "../../lib/loaded-once.ts";

/** Comes with the first view of a file, with the first news, or with the first comment that was left to be sent: the first load has none of it. */
export const loadCommentsModule = lazyOnce(() => import("./put.ts"));
