/** Presents notifications and their settings as wire records. */
import * as wire from "../../../contract/notification-records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { accountChannels, parseKinds, type AccountSettings } from "./channels.ts";
import type { NotificationView } from "./repository.ts";

export const presentNotification = (publicUrl: string, view: NotificationView): wire.Notification => ({
  object: "notification",
  id: view.id,
  kind: view.kind,
  created_at: iso(view.created_at),
  read: view.read_at !== null,
  account_id: view.actor_id,
  username: view.username,
  project_id: view.project_id,
  project_name: view.project_name,
  message_id: view.message_id,
  comment_id: view.comment_id,
  file_id: view.file_id,
  file_name: view.file_name,
  task_id: view.task_id,
  task_title: view.task_title,
  due_date: isoOrNull(view.due_at),
  status:
    view.status_id === null || view.status_title === null
      ? null
      : { id: view.status_id, title: view.status_title, color: view.status_color ?? 0, position: view.status_position ?? 0 },
  webhook_endpoint_id: view.endpoint_id,
  webhook_endpoint_host: view.endpoint_url === null ? null : new URL(view.endpoint_url).host,
  text: view.text,
  url: publicUrl + pathOf(view),
});

/** Returns the path of the page that shows the subject. */
function pathOf({ project_id, message_id, comment_id, file_id, endpoint_id }: NotificationView): string {
  if (message_id !== null) return `/projects/${project_id}/chat/${message_id}`;
  if (comment_id !== null) return `/files/${file_id}?comment=${comment_id}`;
  if (file_id !== null) return `/files/${file_id}`;
  return endpoint_id === null ? "/settings/members" : `/settings/webhooks/${endpoint_id}`;
}

const clockTime = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

export const presentSettings = (settings: AccountSettings): wire.NotificationSettings => ({
  kinds: Object.fromEntries(wire.NOTIFICATION_KINDS.map((kind) => [kind, accountChannels(settings, kind)])) as wire.NotificationSettings["kinds"],
  do_not_disturb:
    settings.do_not_disturb_start === null || settings.do_not_disturb_end === null
      ? null
      : { start: clockTime(settings.do_not_disturb_start), end: clockTime(settings.do_not_disturb_end) },
  paused_until: isoOrNull(settings.paused_until),
});

export const presentProjectSettings = ({
  project_id,
  muted,
  kinds,
}: Omit<Row<"project_notification_settings">, "account_id">): wire.ProjectNotificationSettings => ({
  project_id,
  muted: muted === 1,
  kinds: parseKinds(kinds) as wire.ProjectNotificationSettings["kinds"],
});
