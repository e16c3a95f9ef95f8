/** Wire records of notifications and of the settings that decide who gets which, all of them extensions. */
import * as z from "zod/mini";
import { fileStatus } from "./records.ts";
import { id, timestamp, withDescription } from "./text.ts";

export const NOTIFICATION_KINDS = [
  "mention",
  "reply",
  "comment",
  "task_assigned",
  "task_due",
  "task_closed",
  "file_status",
  "webhook_disabled",
  "invite_accepted",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The kinds that belong to a project, so that a project can have settings of its own for them. */
export const PROJECT_KINDS: readonly NotificationKind[] = NOTIFICATION_KINDS.filter((kind) => kind !== "webhook_disabled" && kind !== "invite_accepted");

/** `digest`: one email a day with all of them. */
export const MAIL_MODES = ["off", "digest", "at_once"] as const;
export type MailMode = (typeof MAIL_MODES)[number];

/** Where a notification goes. */
export interface Channels {
  /** The list of notifications, with its count. */
  app: boolean;
  push: boolean;
  mail: MailMode;
}

/** What applies until somebody changes it. */
export const DEFAULT_CHANNELS: Readonly<Record<NotificationKind, Channels>> = {
  mention: { app: true, push: true, mail: "at_once" },
  reply: { app: true, push: true, mail: "at_once" },
  comment: { app: true, push: true, mail: "digest" },
  task_assigned: { app: true, push: true, mail: "at_once" },
  task_due: { app: true, push: true, mail: "digest" },
  task_closed: { app: true, push: false, mail: "off" },
  file_status: { app: true, push: false, mail: "digest" },
  webhook_disabled: { app: true, push: true, mail: "at_once" },
  invite_accepted: { app: true, push: false, mail: "off" },
};

/** Refers to its subject by id; names and `text` are those of the time of the response. */
export const notification = z.looseObject({
  object: z.literal("notification"),
  id,
  kind: withDescription(z.string(), NOTIFICATION_KINDS.join(", ")),
  created_at: timestamp,
  read: z.boolean(),
  /** Who caused it; null: the service itself. */
  account_id: z.nullable(id),
  username: z.nullable(z.string()),
  project_id: z.nullable(id),
  project_name: z.nullable(z.string()),
  message_id: z.nullable(id),
  comment_id: z.nullable(id),
  file_id: z.nullable(id),
  file_name: z.nullable(z.string()),
  task_id: z.nullable(id),
  task_title: z.nullable(z.string()),
  due_date: z.nullable(timestamp),
  /** The status that the file got. */
  status: z.nullable(fileStatus),
  webhook_endpoint_id: z.nullable(id),
  /** The host in its address. */
  webhook_endpoint_host: z.nullable(z.string()),
  /** The beginning of the message or comment, with names instead of `<@id>`; empty if there is none. */
  text: z.string(),
  /** The page that shows the subject. */
  url: z.string(),
});
export type Notification = z.infer<typeof notification>;

export const channels = z.looseObject({ app: z.boolean(), push: z.boolean(), mail: z.enum(MAIL_MODES) });
const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
export const clockTime = z.string().check(z.regex(CLOCK_TIME, "must be a time of day, such as 22:00"));
/** From `start` to `end`, which may be on the next day, in the account's time zone. */
export const doNotDisturb = z.looseObject({ start: clockTime, end: clockTime });

const byKind = <S extends z.ZodMiniType>(kinds: readonly NotificationKind[], schema: S) =>
  Object.fromEntries(kinds.map((kind) => [kind, schema])) as Record<NotificationKind, S>;

export const notificationSettings = z.looseObject({
  kinds: z.looseObject(byKind(NOTIFICATION_KINDS, channels)),
  do_not_disturb: z.nullable(doNotDisturb),
  /** Until then there are no push messages and emails. */
  paused_until: z.nullable(timestamp),
});
/** `kinds` has only what differs from the account's settings. */
export const projectNotificationSettings = z.looseObject({
  project_id: id,
  muted: z.boolean(),
  kinds: z.looseObject(byKind(PROJECT_KINDS, z.optional(channels))),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;
export type ProjectNotificationSettings = z.infer<typeof projectNotificationSettings>;

/** In bodies: members that are left out stay. */
const channelChanges = z.object({ app: z.optional(z.boolean()), push: z.optional(z.boolean()), mail: z.optional(z.enum(MAIL_MODES)) });
export const kindChanges = z.object(byKind(NOTIFICATION_KINDS, z.optional(channelChanges)));
/** null: as in the account's settings. */
export const projectKindChanges = z.object(byKind(PROJECT_KINDS, z.optional(z.nullable(channelChanges))));
