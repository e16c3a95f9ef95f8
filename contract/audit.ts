/** The audit log: every recorded action with its group and its text, and the wire record of an entry. */
import "./zod-settings.ts";
import * as z from "zod/mini";
import { id, timestamp } from "./text.ts";

export const AUDIT_GROUPS = {
  sign_in: "Sign-ins and sessions",
  credentials: "Passwords and tokens",
  members: "Members and invites",
  projects: "Projects and groups",
  files: "Files and tasks",
  conversation: "Messages and comments",
  settings: "Statuses and templates",
  agents: "Agents",
  webhooks: "Webhooks",
} as const;
export type AuditGroup = keyof typeof AUDIT_GROUPS;
export const AUDIT_GROUP_NAMES = Object.keys(AUDIT_GROUPS) as AuditGroup[];

const inGroup = <const Texts extends Record<string, string>>(group: AuditGroup, texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([action, text]) => [action, { group, text }])) as Record<keyof Texts, { group: AuditGroup; text: string }>;

/** Each text follows the name of the person who acted: "Mia — Deleted a file or folder". Entries of an action that is missing here do not compile. */
export const AUDIT_ACTIONS = {
  ...inGroup("sign_in", {
    "session.started": "Signed in",
    "session.ended": "Signed out a browser",
    "sessions.ended": "Signed out everywhere",
    "sign_in.failed": "Failed to sign in to an account",
    "link.failed": "Tried invalid invite, reset or setup links",
  }),
  ...inGroup("credentials", {
    "password.changed": "Changed their password",
    "password.reset_link": "Created a password reset link",
    "password.reset_link_revoked": "Revoked a password reset link",
    "password.reset": "Chose a new password with a reset link",
    "token.created": "Created an API token",
    "token.revoked": "Revoked an API token",
    "app.connected": "Connected an app",
    "app.disconnected": "Disconnected an app",
    "app.token_reused": "Had an app disconnected because a code or refresh token was used twice",
  }),
  ...inGroup("members", {
    "organisation.created": "Created the organization",
    "organisation.renamed": "Renamed the organization",
    "account.renamed": "Changed their username",
    "account.email_changed": "Changed their email address",
    "account.role_changed": "Changed a role",
    "account.disabled": "Disabled an account",
    "account.enabled": "Enabled an account",
    "invite.created": "Created an invite",
    "invite.revoked": "Revoked an invite",
    "invite.accepted": "Accepted an invite",
  }),
  ...inGroup("projects", {
    "project.created": "Created a project",
    "project.updated": "Changed a project",
    "project.member_added": "Added a person to a project",
    "project.member_removed": "Removed a person from a project",
    "project.archived": "Archived a project",
    "project.unarchived": "Took a project out of the archive",
    "project.deleted": "Deleted a project",
    "project.restored": "Restored a project",
    "project.erased": "Had a project erased that was deleted 30 days before",
    "group.created": "Created a group",
    "group.updated": "Changed a group",
    "group.deleted": "Deleted a group",
    "demo.removed": "Removed the demo",
  }),
  ...inGroup("files", {
    "file.deleted": "Deleted a file or folder",
    "file.restored": "Restored a file or folder",
    "file.url_signed": "Created public links to a file",
    "task.deleted": "Deleted a task",
    "playlist.deleted": "Deleted a playlist",
    "playlist.restored": "Restored a playlist",
  }),
  ...inGroup("conversation", {
    "chat.imported": "Imported messages",
    "message.deleted": "Deleted another person's message",
    "message.restored": "Restored another person's message",
    "comment.deleted": "Deleted another person's comment",
    "comment.restored": "Restored another person's comment",
  }),
  ...inGroup("settings", {
    "file_status.created": "Created a status",
    "file_status.updated": "Changed a status",
    "file_status.ordered": "Reordered the statuses",
    "file_status.deleted": "Deleted a status",
    "file_status.default_set": "Changed the default status",
    "file_status.reset_set": "Changed whether a new version resets the status",
    "task_template.deleted": "Deleted a task template",
    "metadata_template.created": "Created a metadata template",
    "metadata_template.updated": "Changed a metadata template",
    "metadata_template.deleted": "Deleted a metadata template",
    "metadata_template.restored": "Restored a metadata template",
    "metadata_field.created": "Added a metadata field",
    "metadata_field.updated": "Changed a metadata field",
    "metadata_field.deleted": "Deleted a metadata field",
    "metadata_field.restored": "Restored a metadata field",
    "delivery_rules.updated": "Changed the delivery rules",
  }),
  ...inGroup("agents", {
    "agent.created": "Created an agent",
    "agent.updated": "Changed an agent",
    "agent.paused": "Paused an agent",
    "agent.resumed": "Resumed an agent",
    "agent.deleted": "Deleted an agent",
    "agent_task.created": "Gave an agent a task",
    "agent_task.updated": "Changed a task of an agent",
    "agent_task.deleted": "Deleted a task of an agent",
    "agent_subscription.created": "Created an event subscription of an agent and received its secret",
    "agent_subscription.updated": "Changed an event subscription of an agent",
    "agent_subscription.deleted": "Deleted an event subscription of an agent",
    "agent_subscription.secret_rotated": "Rotated the secret of an event subscription and received the new one",
    "agent_subscription.redelivered": "Redelivered an event to an agent",
  }),
  ...inGroup("webhooks", {
    "webhook.created": "Created a webhook endpoint and received its secret",
    "webhook.updated": "Changed a webhook endpoint",
    "webhook.secret_rotated": "Rotated a webhook secret and received the new one",
    "webhook.token_ended": "Had a webhook endpoint paused because its API token ended or lost access to webhooks",
    "webhook.deleted": "Deleted a webhook endpoint",
    "webhook.tested": "Sent a test event",
    "webhook.redelivered": "Redelivered an event",
    "webhook.recovered": "Recovered events",
  }),
};
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Returns an action's group and text; an action of a newer version of the service has neither. */
export const describeAuditAction = (action: string): { group: AuditGroup | null; text: string } =>
  Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : { group: null, text: action };

/** What an action was done to. */
export const AUDIT_TARGETS = [
  "account",
  "agent_subscription",
  "agent_task",
  "comment",
  "delivery",
  "file",
  "file_status",
  "group",
  "invite",
  "message",
  "metadata_field",
  "metadata_template",
  "organisation",
  "playlist",
  "project",
  "session",
  "task",
  "task_template",
  "team",
  "token",
  "webhook_endpoint",
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

const person = z.looseObject({ id, username: z.string() });
export const auditEntry = z.looseObject({
  id,
  created_at: timestamp,
  action: z.string(),
  /** One of `AUDIT_GROUPS`; null for an action that this version does not know. */
  group: z.nullable(z.string()),
  text: z.string(),
  /** Who acted; null: the command line, or somebody who was not signed in. */
  account: z.nullable(person),
  /** The API token that authorized the action; null: a browser session, or no sign-in. */
  api_token: z.nullable(z.looseObject({ id, name: z.string() })),
  /** The IP address of the request, or its network for several failed sign-ins; null for the command line and in entries of older versions. */
  address: z.nullable(z.string()),
  /** `name`: the present name of the target; null if it has none or is gone. `project_id` and `file_id`: where it is. */
  target: z.looseObject({ type: z.string(), id, name: z.nullable(z.string()), project_id: z.nullable(id), file_id: z.nullable(id) }),
  /** The other person whom the action concerns, such as the author of a deleted message. */
  about: z.nullable(person),
  /** Further facts, by action: never a secret or the text of a message. */
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntry>;
