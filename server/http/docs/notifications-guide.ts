/** The guide of the group "Notifications" in the API reference. */
import { LIMITS, NOTIFICATION_RETENTION_DAYS } from "../../../contract/limits.ts";
import { DEFAULT_CHANNELS, NOTIFICATION_KINDS, type NotificationKind } from "../../../contract/notification-records.ts";
import { formatCount } from "../../../contract/text.ts";

const CAUSES: Readonly<Record<NotificationKind, string>> = {
  mention: "a message or comment mentions you",
  reply: "a message replies to one of yours",
  comment: "a comment on a file that you watch, or a reply to it",
  task_assigned: "a task was assigned to you",
  task_due: "a task of yours is due today",
  task_closed: "somebody closed a task that you created or had to do",
  file_status: "a file that you watch got another status",
  webhook_disabled: "the service switched a webhook endpoint off; for owners and admins",
  invite_accepted: "somebody whom you invited has joined",
};

const rows = NOTIFICATION_KINDS.map((kind) => {
  const { app, push, mail } = DEFAULT_CHANNELS[kind];
  return `| \`${kind}\` | ${CAUSES[kind]} | \`app: ${app}, push: ${push}, mail: "${mail}"\` |`;
});

export const NOTIFICATIONS_GUIDE = `What concerns you, and where you want to be told. Nothing that you did yourself, and nothing that you do not see.

| kind | cause | where, by default |
| --- | --- | --- |
${rows.join("\n")}

\`app\` is the list. \`push\` and \`mail\` need a service that lists the features \`push\` and \`mail\`; they wait while you are not to be disturbed, and what you have read by then is not sent. A project can have settings of its own, and a muted one causes no notifications.

A push message goes to each browser that is subscribed (\`POST /api/v2/push-subscriptions\`, with the key of \`GET /api/v2/push-key\`), as long as its session lasts: two seconds after the notification, and those of that time together. An email goes to the address of the profile after a minute, or once a day at eight in your time zone, and at the end has a link that stops all emails, also without a sign-in.

Only a confirmed address gets emails. Joining or changing the address sends one with a link, and so does \`POST /api/v2/mail-settings/confirmation\`, at most ${LIMITS.confirmation_emails_per_day} a day; until it expires, notifications wait for the confirmation. \`address_status\` of the mail settings says what is missing; it may have changed after \`notification_channels.changed\` on \`account:<id>\` and after \`account.updated\`. Unsubscribing by a link ends the confirmation.

You watch a file once you have uploaded a version of it or commented on it, until you stop.

A notification contains names and text as they are now, and disappears with its subject. What you have read in the chat or in a file's comments counts as read here too. The event \`notifications.changed\` on \`account:<id>\` has the number of unread ones, up to ${LIMITS.unread_count_max}; fetch the list again when it comes. The newest ${formatCount(LIMITS.notifications_per_account)} are kept, for ${NOTIFICATION_RETENTION_DAYS} days.`;
