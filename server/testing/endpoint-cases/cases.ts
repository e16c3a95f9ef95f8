/** The endpoint case of every operation; a missing one fails to compile and fails the tests. */
import type { OperationName } from "../../../contract/operations/all.ts";
import * as accountProfiles from "./account-profiles.ts";
import * as accounts from "./accounts.ts";
import * as agentActions from "./agent-actions.ts";
import * as agents from "./agents.ts";
import * as agentSubscriptions from "./agent-subscriptions.ts";
import * as agentTaskRuns from "./agent-task-runs.ts";
import * as agentTasks from "./agent-tasks.ts";
import type { EndpointCase } from "./case.ts";
import * as chat from "./chat.ts";
import * as comments from "./comments.ts";
import * as deliveries from "./deliveries.ts";
import * as deliveryRules from "./delivery-rules.ts";
import * as demo from "./demo.ts";
import * as favorites from "./favorites.ts";
import * as fileBytes from "./file-bytes.ts";
import * as fileState from "./file-state.ts";
import * as files from "./files.ts";
import * as filesView from "./files-view.ts";
import * as mailConfirmations from "./mail-confirmations.ts";
import * as messages from "./messages.ts";
import * as notificationDelivery from "./notification-delivery.ts";
import * as notifications from "./notifications.ts";
import * as oauth from "./oauth.ts";
import * as oauthConsent from "./oauth-consent.ts";
import * as playlistItems from "./playlist-items.ts";
import * as metadataFiles from "./metadata-files.ts";
import * as metadata from "./metadata.ts";
import * as playlists from "./playlists.ts";
import * as projectLife from "./project-life.ts";
import * as projects from "./projects.ts";
import * as recentItems from "./recent-items.ts";
import * as resources from "./resources.ts";
import * as knowledge from "./knowledge.ts";
import * as search from "./search.ts";
import * as session from "./session.ts";
import * as statuses from "./statuses.ts";
import * as tags from "./tags.ts";
import * as taskTemplates from "./task-templates.ts";
import * as tasks from "./tasks.ts";
import * as teams from "./teams.ts";
import * as webhookEndpoints from "./webhook-endpoints.ts";

export const ENDPOINT_CASES: Record<OperationName, EndpointCase> = {
  ...chat,
  ...messages,
  ...files,
  ...fileState,
  ...fileBytes,
  ...filesView,
  ...comments,
  ...statuses,
  ...tags,
  ...tasks,
  ...taskTemplates,
  ...notifications,
  ...metadata,
  ...metadataFiles,
  ...playlists,
  ...playlistItems,
  ...favorites,
  ...recentItems,
  ...projects,
  ...projectLife,
  ...teams,
  ...resources,
  ...accounts,
  ...accountProfiles,
  ...search,
  ...knowledge,
  ...deliveryRules,
  ...agents,
  ...agentActions,
  ...agentSubscriptions,
  ...agentTasks,
  ...agentTaskRuns,
  ...session,
  ...mailConfirmations,
  ...notificationDelivery,
  ...oauth,
  ...oauthConsent,
  ...webhookEndpoints,
  ...deliveries,
  ...demo,
};
