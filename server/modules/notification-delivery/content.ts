/** The words of push messages and emails. */
import type { Notification } from "../../../contract/notification-records.ts";
import { notificationTitle } from "../../../contract/notification-text.ts";

/** Characters of a message or comment in a push message: its encrypted body has at most 4,096 bytes, and phones show less. */
const PUSH_TEXT_CHARACTERS = 240;
/** Notifications that one email lists. */
const MAX_LISTED = 50;

const cut = (text: string, max: number): string => ([...text].length <= max ? text : `${[...text].slice(0, max - 1).join("")}…`);

/** What the browser's service worker shows. */
export interface PushContent {
  title: string;
  body: string;
  /** Path of the page that opens. */
  path: string;
  /** A message replaces an earlier one with the same tag. */
  tag: string;
}

const pathOf = (url: string): string => {
  const { pathname, search, hash } = new URL(url, "http://service");
  return pathname + search + hash;
};

export function pushContent(notifications: readonly Notification[]): PushContent {
  const [first] = notifications;
  if (first && notifications.length === 1) {
    const place = first.file_name !== null && first.project_name !== null ? first.project_name : "";
    return {
      title: cut(notificationTitle(first), 120),
      body: cut(first.text || place, PUSH_TEXT_CHARACTERS),
      path: pathOf(first.url),
      tag: `notification-${first.id}`,
    };
  }
  const body = notifications.slice(-4).map((one) => cut(notificationTitle(one), 80));
  return { title: `${notifications.length} new notifications`, body: body.reverse().join("\n"), path: "/notifications", tag: "notifications" };
}

export const TEST_CONTENT: PushContent = {
  title: "Notifications are on",
  body: "This browser shows them also while Talkback is closed.",
  path: "/settings/notifications",
  tag: "test",
};

export interface MailContext {
  publicUrl: string;
  organisation: string;
  unsubscribeUrl: string;
}

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `    ${line}`.trimEnd())
    .join("\n");

/** Returns the title with the project, which the titles of files and tasks do not name. */
function titleInMail(notification: Notification): string {
  const { project_name } = notification;
  const title = notificationTitle(notification);
  return project_name === null || title.endsWith(` in ${project_name}`) ? title : `${title} (${project_name})`;
}

const describeInMail = (notification: Notification, publicUrl: string): string =>
  [
    `${titleInMail(notification)}${notification.text ? ":" : "."}`,
    ...(notification.text ? ["", indent(notification.text), ""] : []),
    new URL(notification.url, publicUrl).href,
  ].join("\n");

export function mailContent(
  notifications: readonly Notification[],
  { publicUrl, organisation, unsubscribeUrl }: MailContext,
): { subject: string; text: string } {
  const [first] = notifications;
  const subject = first && notifications.length === 1 ? cut(titleInMail(first), 150) : `${notifications.length} notifications from ${organisation}`;
  const listed = notifications.slice(-MAX_LISTED);
  const left = notifications.length - listed.length;
  const parts = listed.map((one) => describeInMail(one, publicUrl));
  if (left > 0) parts.push(`And ${left} older ones:\n${publicUrl}/notifications`);
  const footer = [
    "-- ",
    `You get this email because you have an account at ${organisation} on Talkback.`,
    `Choose what you get: ${publicUrl}/settings/notifications`,
    `Unsubscribe from all emails: ${unsubscribeUrl}`,
  ];
  return { subject, text: `${parts.join("\n\n\n")}\n\n${footer.join("\n")}\n` };
}

export interface ConfirmationContext {
  organisation: string;
  confirmUrl: string;
  blockUrl: string;
}

/** Returns the email that asks for a confirmation of the address. It has no text that the account's person has written, since a stranger may read it. */
export const confirmationContent = ({ organisation, confirmUrl, blockUrl }: ConfirmationContext): { subject: string; text: string } => ({
  subject: cut(`Confirm your email address for ${organisation}`, 150),
  text: `This address was entered for an account at ${organisation} on Talkback. If it is yours, confirm it to get notifications by email:

${confirmUrl}

The link works for three days. If the account is not yours, ignore this email.

-- 
Get no more emails at this address: ${blockUrl}
`,
});
