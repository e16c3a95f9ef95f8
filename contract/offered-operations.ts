/** Which operations a service has, and which rules apply to them: by the features that it lists, or by the service document alone. */
import type { Feature, Operation } from "./define-operation.ts";
import type { Rule } from "./policy.ts";

/** The operations whose path the service document gives (4.1 to 4.3). Of those in 4.4 it names only the methods. */
const DOCUMENTED_PATHS: ReadonlySet<string> = new Set(["POST /v1/account/projects/chat_history", "POST /v1/files/get_info", "POST /api/v2/webhook-endpoints"]);

/** The feature that includes every operation of a rule. A rule without one belongs to several features, or to every service that lists features. */
const RULE_FEATURES: Partial<Record<Rule, Feature>> = {
  "team.invite": "members",
  "project.member.add": "members",
  "project.member.remove": "members",
  "account.manage": "members",
  "invite.manage": "members",
  "password_reset.manage": "members",
  "message.edit": "messages",
  "message.delete": "messages",
  "message.restore": "messages",
  "task_template.manage": "tasks",
  "playlist.create": "playlists",
  "playlist.edit": "playlists",
  "playlist.delete": "playlists",
  "metadata_template.manage": "metadata",
  "metadata.edit": "metadata",
  "file.status": "statuses",
  "file_status.manage": "statuses",
  "file.process": "processing",
  "file.tags": "processing",
  "webhook.manage": "webhooks",
  "delivery_rules.manage": "delivery-rules",
  "agent.read": "agents",
  "agent.manage": "agents",
  "agent_action.read": "agents",
  "agent_action.undo": "agents",
  "agent_task.read": "agent-tasks",
  "agent_task.run": "agent-tasks",
  "agent_task.manage": "agent-tasks",
  "agent.subscribe": "agent-subscriptions",
  "audit.read": "audit-log",
  "demo.make": "demo",
};

/** The feature that includes the other operations of a group. Every service that lists features has the groups without one. */
const GROUP_FEATURES: Partial<Record<Operation["group"], Feature>> = {
  Projects: "projects",
  Groups: "projects",
  Members: "members",
  Accounts: "accounts",
  Chat: "chat",
  Files: "files",
  Comments: "comments",
  Tasks: "tasks",
  Notifications: "notifications",
  Playlists: "playlists",
  "Favorites and recents": "favorites",
  Metadata: "metadata",
  Search: "search",
  "Knowledge base": "knowledge-base",
  "Delivery rules": "delivery-rules",
  Agents: "agents",
  "Agent tasks": "agent-tasks",
  "Agent subscriptions": "agent-subscriptions",
  Webhooks: "webhooks",
  "API tokens": "api-tokens",
  OAuth: "oauth",
  Live: "live",
};

/** Features whose pages only a session can use, because no token may see or end what gives access to the account. */
const SESSION_FEATURES: readonly Feature[] = ["api-tokens", "sessions", "oauth", "push"];

/** Returns the feature without which a service lacks what the rule allows; null if it has it anyway. */
export const featureOfRule = (rule: Rule): Feature | null => RULE_FEATURES[rule] ?? null;

/** Returns the feature without which a service lacks the operation; null if every service with a list of features has it. */
export const featureOf = ({ feature, rule, group }: Operation): Feature | null => feature ?? featureOfRule(rule) ?? GROUP_FEATURES[group] ?? null;

/** Returns whether only a session can use the pages of a feature. */
export const needsSession = (feature: Feature): boolean => SESSION_FEATURES.includes(feature);

/** Returns whether the service document gives the operation's path, so that other services send its responses too. */
export const hasDocumentedPath = ({ method, path }: Operation): boolean => DOCUMENTED_PATHS.has(`${method} ${path}`);

/** Returns whether a service has an operation. `features`: null for a service that is known to have only what the service document gives a path for. */
export function isOffered(operation: Operation, features: readonly string[] | null): boolean {
  if (hasDocumentedPath(operation)) return true;
  if (features === null) return false;
  const feature = featureOf(operation);
  return feature === null || features.includes(feature);
}
