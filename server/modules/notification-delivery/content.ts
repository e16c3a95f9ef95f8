/** The words of push messages and emails. */
import type { Notification } from "../../../contract/notification-records.ts";

/** Characters of a message or comment in a push message: its encrypted body has at most 4,096 bytes, and phones show less. */
const PUSH_TEXT_CHARACTERS = 240;
/** Notifications that one email lists. */
const MAX_LISTED = 50;

const cut = (text: string, max: number): string => ([...text].length <= max ? text : `${[...text].slice(0, max - 1).join("")}…`);
const inProject = ({ project_name }: Notification): string => (project_name === null ? "" : ` in ${project_name}`);

/** Returns what happened, as one sentence without a full stop. */
export function summarize(notification: Notification): string {
  const { kind, username, file_name, task_title, status } = notification;
  const who = username ?? "Somebody";
  switch (kind) {
    case "mention":
      return `${who} mentioned you${file_name === null ? inProject(notification) : ` on ${file_name}`}`;
    case "reply":
      return `${who} replied to you${inProject(notification)}`;
    case "comment":
      return `${who} commented on ${file_name ?? "a file"}`;
    case "task_assigned":
      return `${who} assigned you a task: ${task_title ?? ""}`;
    case "task_due":
      return `A task of yours is due: ${task_title ?? ""}`;
    case "task_closed":
      return `${who} completed a task: ${task_title ?? ""}`;
    case "file_status":
      return `${who} set ${file_name ?? "a file"} to ${status?.title ?? "another status"}`;
    case "webhook_disabled":
      return "A webhook endpoint was disabled, because it failed for too long";
    case "invite_accepted":
      return `${who} accepted your invite`;
    default:
      return `News${inProject(notification)}`;
  }
}

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
      title: cut(summarize(first), 120),
      body: cut(first.text || place, PUSH_TEXT_CHARACTERS),
      path: pathOf(first.url),
      tag: `notification-${first.id}`,
    };
  }
  const body = notifications.slice(-4).map((one) => cut(summarize(one), 80));
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

const describeInMail = (notification: Notification, publicUrl: string): string =>
  [
    `${summarize(notification)}${notification.text ? ":" : "."}`,
    ...(notification.text ? ["", indent(notification.text), ""] : []),
    new URL(notification.url, publicUrl).href,
  ].join("\n");

export function mailContent(
  notifications: readonly Notification[],
  { publicUrl, organisation, unsubscribeUrl }: MailContext,
): { subject: string; text: string } {
  const [first] = notifications;
  const subject = first && notifications.length === 1 ? cut(summarize(first), 150) : `${notifications.length} notifications from ${organisation}`;
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
