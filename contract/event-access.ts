/**
 * The scope and the rule under which HTTP shows the record of each live event, signal and webhook event. The live channel delivers by these tables, and
 * an API token subscribes endpoints by them (decision 033), so a type that is missing here does not compile. Only the service uses them.
 */
import type { Scope } from "./define-operation.ts";
import type { EventType, SignalType } from "./events.ts";
import type { NoFacts, RuleFor } from "./policy.ts";
import type { WebhookEventType } from "./webhook-events.ts";

export interface Access {
  /** `session`: tokens are not shown it. */
  scope: Scope | "session";
  /** Scopes that a token needs besides `scope`. */
  furtherScopes?: readonly Scope[];
  rule: RuleFor<NoFacts>;
}

export type TopicKind = "project" | "organisation" | "account";

export interface EventAccess extends Access {
  topic: TopicKind;
  /**
   * What the receiver must see besides the topic: the `project_id`, `team_id` or, of a person, `id` in the data. A group that is just being created is seen
   * by owners, admins and whoever creates it, since there is no project in it.
   */
  sees?: "project" | "team" | "group" | "person";
}

const chat = { topic: "project", scope: "chat:read", rule: "chat.read" } as const;
const file = { topic: "project", scope: "files:read", rule: "file.read" } as const;
const task = { topic: "project", scope: "files:read", rule: "task.read" } as const;
const playlist = { topic: "project", scope: "files:read", rule: "playlist.read" } as const;
const comment = { topic: "project", scope: "files:read", rule: "comment.read" } as const;
const project = { topic: "project", scope: "account:read", rule: "project.read" } as const;
/** The lists show files and messages. */
const listed = { topic: "account", scope: "account:read", furtherScopes: ["chat:read", "files:read"], rule: "self" } as const;
const webhook = { topic: "organisation", scope: "webhooks", rule: "webhook.manage" } as const;

/** What a token needs to have events of a type sent to an endpoint. */
export const WEBHOOK_EVENT_ACCESS: Record<WebhookEventType, { scope: Scope }> = {
  "file.uploaded": file,
  "file.renamed": file,
  "file.status_changed": file,
  "comment.created": comment,
  "message.created": chat,
  "task.created": task,
  "task.closed": task,
};
/**
 * What a token needs to read the delivery log, which has the names of what events are about. The body of an event needs the scope of its type too, since
 * messages came later: tokens without `chat:read` go on reading the log.
 */
export const WEBHOOK_LOG_SCOPES: readonly Scope[] = ["files:read"];

const AGENT_TASKS: Access = { scope: "account:read", furtherScopes: ["chat:read", "files:read"], rule: "agent_task.read" };
const AGENT_ACTIONS: Access = { ...AGENT_TASKS, rule: "agent_action.read" };

export const EVENT_ACCESS: Record<EventType, EventAccess> = {
  "message.created": chat,
  "message.updated": chat,
  "messages.imported": chat,
  "file.created": file,
  "file.updated": file,
  "file.deleted": file,
  "attachment.updated": file,
  "task.created": task,
  "task.updated": task,
  "task.deleted": task,
  "playlist.created": playlist,
  "playlist.updated": playlist,
  "playlist.deleted": playlist,
  "metadata.updated": file,
  "metadata.imported": file,
  "comment.created": comment,
  "comment.updated": comment,
  "agent_tasks.changed": { topic: "project", ...AGENT_TASKS },
  "agent_actions.changed": { topic: "project", ...AGENT_ACTIONS },
  "project.updated": project,
  "project.deleted": project,
  "project.restored": project,
  "project.member_added": project,
  "project.member_removed": project,
  "organisation.updated": { topic: "organisation", scope: "account:read", rule: "self" },
  "group.created": { topic: "organisation", scope: "account:read", rule: "group.read", sees: "group" },
  "groups.changed": { topic: "organisation", scope: "account:read", rule: "group.read", sees: "team" },
  "account.updated": { topic: "organisation", scope: "account:read", rule: "account.read", sees: "person" },
  "statuses.changed": { topic: "organisation", scope: "files:read", rule: "team.read", sees: "team" },
  "metadata_templates.changed": { topic: "organisation", scope: "files:read", rule: "team.read", sees: "team" },
  "delivery_rules.changed": { topic: "organisation", scope: "files:read", rule: "team.read", sees: "team" },
  "webhook_endpoint.updated": webhook,
  "webhook_endpoint.deleted": webhook,
  "delivery.updated": { ...webhook, furtherScopes: WEBHOOK_LOG_SCOPES },
  // Also of a project that the account has just left.
  "projects.changed": { topic: "account", scope: "account:read", rule: "self" },
  "tasks.changed": { topic: "account", scope: "files:read", rule: "task.read" },
  "favorites.changed": listed,
  "recent_items.changed": listed,
  "read.moved": { topic: "account", scope: "chat:read", rule: "chat.read", sees: "project" },
  "comments.read": { topic: "account", scope: "files:read", rule: "comment.read", sees: "project" },
  "notifications.changed": { topic: "account", scope: "account:read", furtherScopes: ["chat:read", "files:read"], rule: "self" },
  "notification_settings.changed": { topic: "account", scope: "account:read", rule: "self" },
  "file_watch.changed": { topic: "account", scope: "files:read", rule: "file.read", sees: "project" },
  "notification_channels.changed": { topic: "account", scope: "account:read", rule: "self" },
  "sessions.changed": { topic: "account", scope: "session", rule: "self" },
};

export const SIGNAL_ACCESS: Record<SignalType, Access> = {
  "project.activity": { scope: "chat:read", rule: "chat.read" },
  "project.changed": { scope: "account:read", rule: "project.read" },
  "playlists.changed": { scope: "files:read", rule: "playlist.read" },
  "agent_tasks.changed": AGENT_TASKS,
  "agent_actions.changed": AGENT_ACTIONS,
  "file.progress": { scope: "files:read", rule: "file.read" },
  typing: { scope: "chat:read", rule: "chat.read" },
  presence: { scope: "chat:read", rule: "chat.read" },
  "reader.moved": { scope: "chat:read", rule: "chat.read" },
};

/** The scopes with which a token may follow a topic: each shows it some of the topic's events. */
export const scopesOfTopic = (kind: TopicKind): Scope[] => [
  ...new Set(Object.values(EVENT_ACCESS).flatMap(({ topic, scope }) => (topic === kind && scope !== "session" ? [scope] : []))),
];
