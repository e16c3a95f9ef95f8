/** Every operation of the service, by name. The client imports single files instead, so that it loads only what it calls. */
import * as accounts from "./accounts.ts";
import * as accountProfiles from "./account-profiles.ts";
import * as agents from "./agents.ts";
import * as agentActions from "./agent-actions.ts";
import * as agentSubscriptions from "./agent-subscriptions.ts";
import * as agentTasks from "./agent-tasks.ts";
import * as audit from "./audit.ts";
import * as chat from "./chat.ts";
import * as comments from "./comments.ts";
import * as deliveryRules from "./delivery-rules.ts";
import * as demo from "./demo.ts";
import * as deletedProjects from "./deleted-projects.ts";
import * as favorites from "./favorites.ts";
import * as files from "./files.ts";
import * as filesView from "./files-view.ts";
import * as knowledge from "./knowledge.ts";
import * as messages from "./messages.ts";
import * as metadata from "./metadata.ts";
import * as metadataFiles from "./metadata-files.ts";
import * as notificationDelivery from "./notification-delivery.ts";
import * as notifications from "./notifications.ts";
import * as oauth from "./oauth.ts";
import * as playlists from "./playlists.ts";
import * as projects from "./projects.ts";
import * as resources from "./resources.ts";
import * as search from "./search.ts";
import * as session from "./session.ts";
import * as statuses from "./statuses.ts";
import * as tags from "./tags.ts";
import * as tasks from "./tasks.ts";
import * as teams from "./teams.ts";
import * as webhooks from "./webhooks.ts";

export const operations = {
  ...chat,
  ...messages,
  ...files,
  ...filesView,
  ...comments,
  ...tags,
  ...tasks,
  ...notifications,
  ...playlists,
  ...favorites,
  ...metadata,
  ...metadataFiles,
  ...projects,
  ...deletedProjects,
  ...teams,
  ...resources,
  ...statuses,
  ...accounts,
  ...accountProfiles,
  ...audit,
  ...session,
  ...oauth,
  ...search,
  ...knowledge,
  ...deliveryRules,
  ...agents,
  ...agentActions,
  ...agentTasks,
  ...agentSubscriptions,
  ...notificationDelivery,
  ...webhooks,
  getDemo: demo.getDemo,
  createDemo: demo.createDemo,
  removeDemo: demo.removeDemo,
};
export type OperationName = keyof typeof operations;
