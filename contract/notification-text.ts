/** Says in a sentence what a notification is about: for the list, push messages and emails. */
import type { Notification } from "./notification-records.ts";

/** The name of a person who is no longer there. */
const FORMER_MEMBER = "Former member";

/** Returns the title of a notification. Its `text`, the beginning of a message or comment, is not part of it. */
export function notificationTitle({ kind, username, project_name, file_name, task_title, status, webhook_endpoint_host: host }: Notification): string {
  const name = username ?? FORMER_MEMBER;
  const project = project_name === null ? "" : ` in ${project_name}`;
  const file = file_name ?? "a file";
  const task = task_title ?? "a task";
  switch (kind) {
    case "mention":
      return file_name === null ? `${name} mentioned you${project}` : `${name} mentioned you in a comment on ${file_name}`;
    case "reply":
      return `${name} replied to you${project}`;
    case "comment":
      return `${name} commented on ${file}`;
    case "task_assigned":
      return `${name} assigned you a task: ${task}`;
    case "task_due":
      return `Task due: ${task}`;
    case "task_closed":
      return `${name} completed a task: ${task}`;
    case "file_status":
      return status ? `${name} set ${file} to ${status.title}` : `${name} changed the status of ${file}`;
    case "webhook_disabled":
      return host === null ? "A webhook endpoint was switched off" : `The webhook endpoint at ${host} was switched off`;
    case "invite_accepted":
      return `${name} accepted your invite`;
    default:
      // A kind of a later version.
      return `Something changed${project}`;
  }
}
