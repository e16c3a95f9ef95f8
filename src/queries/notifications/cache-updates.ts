/** Keeps the lists of notifications and their count current. */
import type { EventData } from "../../../contract/events.ts";
import type { ClientData } from "../../client/client.ts";
import { invalidate, patchDataAndLoads } from "../query-client.ts";

export const notificationKeys = {
  all: ["notifications"] as const,
  lists: ["notifications", "list"] as const,
  list: (isUnread: boolean) => ["notifications", "list", isUnread] as const,
  /** The number of unread notifications, which the shell shows. */
  unread: ["notifications", "unread"] as const,
  settings: ["notifications", "settings"] as const,
  projectSettings: ["notifications", "settings", "projects"] as const,
  /** Whether the person watches a file. */
  watch: (fileId: number) => ["notifications", "watch", fileId] as const,
};

type FileWatch = EventData<"file_watch.changed">;

/** Applies from a response or event whether the person watches a file. */
export function applyFileWatch(client: ClientData, watch: FileWatch): void {
  patchDataAndLoads<FileWatch>(client, notificationKeys.watch(watch.file_id), () => watch);
}

/** Applies the number of unread notifications from a response or event, and refetches the lists. */
export function applyUnreadCount(client: ClientData, count: number): void {
  patchDataAndLoads<number>(client, notificationKeys.unread, () => count);
  invalidate(client, notificationKeys.lists);
}
