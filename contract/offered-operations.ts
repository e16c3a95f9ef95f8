/** Which operations a service has: by the features that it lists, or by the service document alone. */
import type { Operation } from "./define-operation.ts";

/** The operations whose path the service document gives (4.1 to 4.3). Of those in 4.4 it names only the methods. */
const DOCUMENTED_PATHS: ReadonlySet<string> = new Set(["POST /v1/account/projects/chat_history", "POST /v1/files/get_info", "POST /api/v2/webhook-endpoints"]);

/** Name of the feature in `GET /api/v2/service` that includes the operations of a group. Every service that lists features has the other groups. */
const GROUP_FEATURES: Partial<Record<Operation["group"], string>> = {
  Projects: "projects",
  Groups: "projects",
  Members: "members",
  Chat: "chat",
  Files: "files",
  Comments: "comments",
  Tasks: "tasks",
  Webhooks: "webhooks",
  "API tokens": "api-tokens",
  Live: "live",
};

/** Returns the entry of `features` without which a service lacks the operation; null if every service with a list of features has it. */
export const featureOf = ({ feature, group }: Operation): string | null => feature ?? GROUP_FEATURES[group] ?? null;

/** Returns whether the service document gives the operation's path, so that other services send its responses too. */
export const hasDocumentedPath = ({ method, path }: Operation): boolean => DOCUMENTED_PATHS.has(`${method} ${path}`);

/** Returns whether a service has an operation. `features`: null for a service that is known to have only what the service document gives a path for. */
export function isOffered(operation: Operation, features: readonly string[] | null): boolean {
  if (hasDocumentedPath(operation)) return true;
  if (features === null) return false;
  const feature = featureOf(operation);
  return feature === null || features.includes(feature);
}
