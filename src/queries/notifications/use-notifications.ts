/** Queries notifications and their number, and marks them as read. */
import { type InfiniteData, infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Notification } from "../../../contract/notification-records.ts";
import { listNotifications, readNotifications, updateNotification } from "../../../contract/operations/notifications.ts";
import type { BodyOf } from "../../api/http.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { usePageActive } from "../../lib/page-activity.ts";
import { CURSOR_PAGES, useOperation } from "../operations.ts";
import { invalidate } from "../query-client.ts";
import { useHasFeature } from "../service.ts";
import { applyUnreadCount, notificationKeys } from "./cache-updates.ts";

const PAGE_SIZE = "30";

const notificationQueries = {
  list: (isUnread: boolean) =>
    infiniteQueryOptions({
      queryKey: notificationKeys.list(isUnread),
      queryFn: ({ pageParam: cursor, signal, meta }) =>
        meta!.client.api.call(listNotifications, { query: { cursor, limit: PAGE_SIZE, unread: isUnread ? "true" : undefined } }, { signal }),
      ...CURSOR_PAGES,
    }),
  unread: () =>
    queryOptions({
      queryKey: notificationKeys.unread,
      queryFn: async ({ signal, meta }) => (await meta!.client.api.call(listNotifications, { query: { limit: "1" } }, { signal })).unread_count,
      staleTime: 5 * 60_000,
    }),
};

/** Returns the notifications, newest first. */
export function useNotifications(isUnread: boolean) {
  const query = useInfiniteQuery(notificationQueries.list(isUnread));
  return { ...query, notifications: query.data?.pages.flatMap(({ data }) => data) };
}

/** Returns how many are unread; undefined until that is known. */
export function useKnownNotificationCount(): number | undefined {
  const hasNotifications = useHasFeature("notifications");
  return useQuery({ ...notificationQueries.unread(), enabled: hasNotifications }).data;
}

/** Returns how many are unread; 0 until that is known. */
export const useUnreadNotificationCount = (): number => useKnownNotificationCount() ?? 0;

type Pages = InfiniteData<{ data: Notification[] }>;

/** Shows a notification as read or unread in every loaded list. */
function patchRead({ queryClient }: ClientData, id: number, read: boolean): void {
  const patch = (notification: Notification) => (notification.id === id ? { ...notification, read } : notification);
  queryClient.setQueriesData<Pages>(
    { queryKey: notificationKeys.lists },
    (loaded) => loaded && { ...loaded, pages: loaded.pages.map((page) => ({ ...page, data: page.data.map(patch) })) },
  );
}

/** Marks one as read or unread, which is shown at once. */
export function useMarkNotification() {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, isRead }: { id: number; isRead: boolean }) =>
      client.api.data(updateNotification, { params: { notification_id: id }, body: { read: isRead } }),
    onMutate: ({ id, isRead }) => patchRead(client, id, isRead),
    onError: () => invalidate(client, notificationKeys.lists),
    onSuccess: ({ unread_count }) => applyUnreadCount(client, unread_count),
  });
}

/** Marks as read all that match the body. */
export const useReadNotifications = () =>
  useOperation(readNotifications, (body: BodyOf<typeof readNotifications>) => ({ body }), {
    onSuccess: (client, { unread_count }) => applyUnreadCount(client, unread_count),
  });

/** Marks as read what the view shows, while somebody looks at it. `body` is null while the view does not show it. */
export function useSeenNotifications(body: BodyOf<typeof readNotifications> | null): void {
  const count = useUnreadNotificationCount();
  const isActive = usePageActive();
  const { mutate } = useReadNotifications();
  const isShown = body !== null;
  const key = JSON.stringify(body);
  /** What was sent last and how many were unread after it: the same again would change nothing. */
  const sent = useRef("");
  useEffect(() => {
    if (!isShown || !isActive || count === 0 || sent.current === `${key} ${count}`) return;
    sent.current = `${key} ${count}`;
    mutate(JSON.parse(key) as BodyOf<typeof readNotifications>, { onSuccess: ({ unread_count }) => (sent.current = `${key} ${unread_count}`) });
  }, [count, isActive, isShown, key, mutate]);
}
