/** Routes of notifications, their settings, and watched files. */
import * as notifications from "../../../contract/operations/notifications.ts";
import { assertCan } from "../../access/access.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { presentNotification, presentProjectSettings, presentSettings } from "./presenter.ts";
import type { NotificationServices } from "./services.ts";
import type { FileWatch } from "./watching.ts";

const parseClockTime = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const parseInterval = ({ start, end }: { start: string; end: string }) => ({ start: parseClockTime(start), end: parseClockTime(end) });
const presentWatch = ({ file, isWatching }: FileWatch) => single("file_watch", { file_id: file.id, project_id: file.project_id, watching: isWatching });

export function registerNotificationRoutes(route: Route, services: NotificationServices, publicUrl: string): void {
  const { notificationReads, notificationSettings, fileWatching } = services;
  route(notifications.listNotifications, async ({ actor, query }) => {
    assertCan(actor, "self", {}, "");
    const { after, limit } = parsePage(query);
    const filter = { isUnread: query.unread === "true", projectId: query.project_id ?? null };
    const { views, next, unreadCount } = await notificationReads.list(actor, filter, after === 0 ? null : after, limit);
    return list(
      views.map((view) => presentNotification(publicUrl, view)),
      { next_cursor: encodeCursor(next), unread_count: unreadCount },
    );
  });
  route(notifications.updateNotification, async ({ actor, params, body }) =>
    single("unread_notifications", { unread_count: await notificationReads.setRead(actor, params.notification_id, body.read) }),
  );
  route(notifications.readNotifications, async ({ actor, body }) => {
    const seen = { upToId: body.up_to_id, projectId: body.project_id, fileId: body.file_id, kinds: body.kinds };
    return single("unread_notifications", { unread_count: await notificationReads.markSeen(actor, seen) });
  });

  route(notifications.getNotificationSettings, async ({ actor }) => single("notification_settings", presentSettings(await notificationSettings.get(actor))));
  route(notifications.updateNotificationSettings, async ({ actor, body: { kinds, do_not_disturb, paused_until } }) => {
    const changes = {
      kinds,
      doNotDisturb: do_not_disturb ? parseInterval(do_not_disturb) : do_not_disturb,
      pausedUntil: typeof paused_until === "string" ? Date.parse(paused_until) : paused_until,
    };
    return single("notification_settings", presentSettings(await notificationSettings.update(actor, changes)));
  });
  route(notifications.listProjectNotificationSettings, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const { rows, next } = await notificationSettings.listProjects(actor, after, limit);
    return list(rows.map(presentProjectSettings), { next_cursor: encodeCursor(next) });
  });
  route(notifications.getProjectNotificationSettings, async ({ actor, params }) =>
    single("project_notification_settings", presentProjectSettings(await notificationSettings.getProject(actor, params.project_id))),
  );
  route(notifications.updateProjectNotificationSettings, async ({ actor, params, body }) =>
    single("project_notification_settings", presentProjectSettings(await notificationSettings.updateProject(actor, params.project_id, body))),
  );

  route(notifications.getFileWatch, async ({ actor, params }) => presentWatch(await fileWatching.get(actor, params.file_id)));
  route(notifications.setFileWatch, async ({ actor, params, body }) => presentWatch(await fileWatching.set(actor, params.file_id, body.watching)));
}
