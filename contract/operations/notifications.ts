import * as z from "zod/mini";
import { operation, page, pageQuery, single } from "../define-operation.ts";
import {
  doNotDisturb,
  kindChanges,
  notification,
  NOTIFICATION_KINDS,
  notificationSettings,
  projectKindChanges,
  projectNotificationSettings,
} from "../notification-records.ts";
import { dateTime, id, idInPath, withDescription } from "../text.ts";

const unreadCount = z.looseObject({ unread_count: z.int() });
const inProject = z.object({ project_id: idInPath });
const ofFile = z.object({ file_id: idInPath });
const fileWatch = z.looseObject({ file_id: id, project_id: id, watching: z.boolean() });

export const listNotifications = operation({
  method: "GET",
  path: "/api/v2/notifications",
  group: "Notifications",
  summary: "Your notifications, newest first: those whose subject was deleted or is no longer visible to you are left out",
  source: "extension",
  scope: "account:read",
  furtherScopes: ["chat:read", "files:read"],
  rule: "self",
  cost: 2,
  query: z.object({
    unread: withDescription(z.optional(z.enum(["true", "false"])), "true: only unread ones"),
    project_id: withDescription(z.optional(idInPath), "only those of a project"),
    ...pageQuery.shape,
  }),
  response: z.looseObject({ ...page(notification).shape, ...unreadCount.shape }),
});
export const updateNotification = operation({
  method: "PATCH",
  path: "/api/v2/notifications/{notification_id}",
  group: "Notifications",
  summary: "Mark a notification as read or unread",
  source: "extension",
  scope: "account:write",
  rule: "self",
  params: z.object({ notification_id: idInPath }),
  body: z.object({ read: z.boolean() }),
  response: single("unread_notifications", unreadCount),
});
export const readNotifications = operation({
  method: "POST",
  path: "/api/v2/notifications/read",
  group: "Notifications",
  summary: "Mark notifications as read: all that match every member of the body",
  source: "extension",
  scope: "account:write",
  rule: "self",
  body: z.object({
    up_to_id: withDescription(z.optional(id), "the newest that you have seen: later ones stay unread"),
    project_id: z.optional(id),
    file_id: withDescription(z.optional(id), "about a file, its comments and its tasks"),
    kinds: z.optional(z.array(z.enum(NOTIFICATION_KINDS)).check(z.minLength(1), z.maxLength(NOTIFICATION_KINDS.length))),
  }),
  response: single("unread_notifications", unreadCount),
});

export const getNotificationSettings = operation({
  method: "GET",
  path: "/api/v2/notification-settings",
  group: "Notifications",
  summary: "Your notification settings: which you get, where, and when you are not to be disturbed",
  source: "extension",
  scope: "account:read",
  rule: "self",
  response: single("notification_settings", notificationSettings),
});
export const updateNotificationSettings = operation({
  method: "PATCH",
  path: "/api/v2/notification-settings",
  group: "Notifications",
  summary: "Change your notification settings; what is left out stays",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["account:read"],
  rule: "self",
  body: z.object({
    kinds: z.optional(kindChanges),
    do_not_disturb: z.optional(
      z.nullable(doNotDisturb.check(z.refine(({ start, end }) => start !== end, { message: "must not end when it starts", path: ["end"] }))),
    ),
    paused_until: z.optional(z.nullable(dateTime)),
  }),
  response: single("notification_settings", notificationSettings),
});
export const listProjectNotificationSettings = operation({
  method: "GET",
  path: "/api/v2/notification-settings/projects",
  group: "Notifications",
  summary: "Projects that you have muted or given settings of their own",
  source: "extension",
  scope: "account:read",
  rule: "self",
  query: pageQuery,
  response: page(projectNotificationSettings),
});
export const getProjectNotificationSettings = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/notification-settings",
  group: "Notifications",
  summary: "Your notification settings for a project",
  source: "extension",
  scope: "account:read",
  rule: "project.read",
  params: inProject,
  response: single("project_notification_settings", projectNotificationSettings),
});
export const updateProjectNotificationSettings = operation({
  method: "PATCH",
  path: "/api/v2/projects/{project_id}/notification-settings",
  group: "Notifications",
  summary: "Mute a project or change what you get of it; what is left out stays",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["account:read"],
  rule: "self",
  params: inProject,
  body: z.object({ muted: z.optional(z.boolean()), kinds: z.optional(projectKindChanges) }),
  response: single("project_notification_settings", projectNotificationSettings),
});

export const getFileWatch = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/watch",
  group: "Notifications",
  summary: "Whether you watch a file: uploading a version and commenting starts it",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params: ofFile,
  response: single("file_watch", fileWatch),
});
export const setFileWatch = operation({
  method: "PUT",
  path: "/api/v2/files/{file_id}/watch",
  group: "Notifications",
  summary: "Watch a file, or stop: you get notifications of its comments and status",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["files:read"],
  rule: "self",
  params: ofFile,
  body: z.object({ watching: z.boolean() }),
  response: single("file_watch", fileWatch),
});
