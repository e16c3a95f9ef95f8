/** Refetches what a topic keeps current, where its events or signals may have been missed. */
import type { ClientData } from "../../client/client.ts";
import { AGENT_ACTIONS_KEY, AGENT_TASKS_KEY, AGENTS_KEY } from "../../queries/agents/agent-keys.ts";
import { commentKeys } from "../../queries/comments/comment-list.ts";
import { deliveryRulesKeys } from "../../queries/delivery-rules/cache-updates.ts";
import { invalidateListedItems } from "../../queries/favorites/cache-updates.ts";
import { favoriteKeys } from "../../queries/favorites/favorites.ts";
import { DELETED_FILES_KEY, fileListKeys } from "../../queries/file-lists/list-query.ts";
import { fileKeys } from "../../queries/files/cache-updates.ts";
import { memberQueries } from "../../queries/members.ts";
import { messageKeys, messageSearchKeys, singleMessageKeys } from "../../queries/messages/cache-updates.ts";
import { readerKeys } from "../../queries/messages/read-state.ts";
import { metadataKeys } from "../../queries/metadata/cache-updates.ts";
import { invalidateDelivery } from "../../queries/notification-delivery/cache-updates.ts";
import { notificationKeys } from "../../queries/notifications/cache-updates.ts";
import { refetchRole } from "../../queries/permissions.ts";
import { playlistKeys } from "../../queries/playlists/cache-updates.ts";
import { DELETED_PROJECTS_KEY, projectQueries } from "../../queries/projects.ts";
import { invalidate } from "../../queries/query-client.ts";
import { statusKeys } from "../../queries/statuses/cache-updates.ts";
import { invalidateOwnTasks, taskKeys } from "../../queries/tasks/cache-updates.ts";
import { groupQueries } from "../../queries/teams.ts";
import { webhookKeys } from "../../queries/webhooks/delivery-filter.ts";

/** Refetches what may contain something of a project that the account sees now, or no longer sees. */
export function invalidateAfterVisibilityChange(client: ClientData): void {
  invalidate(client, projectQueries.all().queryKey, true);
  invalidate(client, DELETED_PROJECTS_KEY);
  invalidate(client, groupQueries.all().queryKey);
  invalidate(client, fileKeys.all);
  invalidateOwnTasks(client);
  invalidate(client, playlistKeys.lists);
  invalidate(client, notificationKeys.all);
  invalidateListedItems(client);
}

/** Refetches every loaded window of all chats, and all files and file lists: all that shows which files have unread comments. */
function invalidateMessagesAndFiles(client: ClientData): void {
  invalidate(client, messageKeys.all);
  invalidate(client, fileKeys.all);
  invalidate(client, fileListKeys.all);
}

/** Refetches everything cached of a topic that may have missed events. */
export function invalidateTopic(client: ClientData, topic: string): void {
  const [kind, id] = topic.split(":");
  if (kind === "project") {
    invalidate(client, messageKeys.project(Number(id)));
    invalidate(client, messageSearchKeys.project(Number(id)));
    invalidate(client, singleMessageKeys.project(Number(id)));
    invalidate(client, projectQueries.members(Number(id)).queryKey);
    invalidate(client, readerKeys.project(Number(id)));
    invalidate(client, fileKeys.all);
    invalidate(client, commentKeys.all);
    invalidate(client, fileListKeys.project(Number(id)));
    invalidate(client, DELETED_FILES_KEY);
    invalidate(client, playlistKeys.all);
    invalidate(client, AGENT_TASKS_KEY);
    invalidate(client, AGENT_ACTIONS_KEY);
  }
  if (kind !== "organisation") {
    invalidate(client, taskKeys.all);
    invalidate(client, favoriteKeys.favorites);
    invalidate(client, favoriteKeys.recent);
  }
  if (kind === "account") {
    invalidateMessagesAndFiles(client);
    invalidateAfterVisibilityChange(client);
    // Signals to the account say that these have changed.
    invalidate(client, AGENT_TASKS_KEY);
    invalidate(client, AGENT_ACTIONS_KEY);
    invalidateDelivery(client);
  }
  if (kind !== "account") invalidate(client, metadataKeys.all);
  if (kind === "project") invalidate(client, deliveryRulesKeys.checks);
  invalidate(client, projectQueries.all().queryKey, true);
  if (kind === "organisation") {
    void refetchRole(client);
    invalidate(client, statusKeys.all);
    invalidate(client, deliveryRulesKeys.all);
    invalidate(client, AGENTS_KEY);
    invalidate(client, AGENT_TASKS_KEY);
    invalidate(client, AGENT_ACTIONS_KEY);
    invalidate(client, groupQueries.all().queryKey);
    invalidate(client, memberQueries.all().queryKey);
    invalidate(client, webhookKeys.all);
  }
}

/** Refetches a topic's data that only signals keep current, because signals before the subscription were missed. */
export function invalidateSignaledData(client: ClientData, topic: string): void {
  const [kind, id] = topic.split(":");
  if (kind === "project") invalidate(client, readerKeys.project(Number(id)));
}
