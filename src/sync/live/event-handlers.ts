/** Maps each live event and signal to its cache changes. */
import {
  EVENT_DATA,
  fileProgress,
  presence,
  projectActivity,
  readerMoved,
  typing,
  type EventData,
  type EventType,
  type LiveEvent,
  type ProjectActivity,
} from "../../../contract/events.ts";
import type { FavoriteType, ListedItem } from "../../../contract/favorite-records.ts";
import type { Member, ProjectMember, MemberReadMarker } from "../../../contract/records.ts";
import type { Client, ClientData } from "../../client/client.ts";
import { AGENT_ACTIONS_KEY, AGENT_TASKS_KEY, AGENTS_KEY } from "../../queries/agents/agent-keys.ts";
import { applyCommentsRead, upsertComment, upsertNewComment } from "../../queries/comments/cache-updates.ts";
import { deliveryRulesKeys, invalidateDeliveryCheck } from "../../queries/delivery-rules/cache-updates.ts";
import { invalidateListedItems } from "../../queries/favorites/cache-updates.ts";
import { favoriteKeys } from "../../queries/favorites/favorites.ts";
import { applyFileEvent, applyMetadataUpdate } from "../../queries/file-lists/cache-updates.ts";
import { DELETED_FILES_KEY, fileListKeys } from "../../queries/file-lists/list-query.ts";
import { fileKeys, invalidateFileMessages, markFileDeleted, upsertAttachment, upsertFile } from "../../queries/files/cache-updates.ts";
import { patchById, removeById } from "../../queries/lists.ts";
import { memberQueries } from "../../queries/members.ts";
import { messageKeys, patchSearchResults, upsertCachedMessage, upsertCachedMessageInOrder } from "../../queries/messages/cache-updates.ts";
import { applyReadMarker, readerKeys, recordActivity, withMemberReadMarker } from "../../queries/messages/read-state.ts";
import { invalidateFileMetadata, invalidateTemplates, metadataKeys } from "../../queries/metadata/cache-updates.ts";
import { invalidateDelivery } from "../../queries/notification-delivery/cache-updates.ts";
import { applyFileWatch, applyUnreadCount, notificationKeys } from "../../queries/notifications/cache-updates.ts";
import { refreshForRole } from "../../queries/permissions.ts";
import { applyPlaylistEvent, invalidatePlaylistsOf, playlistKeys, removePlaylist } from "../../queries/playlists/cache-updates.ts";
import { patchProjects, projectQueries } from "../../queries/projects.ts";
import { invalidate, patchDataAndLoads } from "../../queries/query-client.ts";
import { ISSUED_ACCESS_KEY, sessionListQueries, sessionQueries, withAccount } from "../../queries/session.ts";
import { applyTeamStatuses } from "../../queries/statuses/cache-updates.ts";
import { invalidateOwnTasks, removeTask, taskKeys, upsertTask } from "../../queries/tasks/cache-updates.ts";
import { groupQueries } from "../../queries/teams.ts";
import { removeEndpoint, upsertDelivery, upsertEndpoint } from "../../queries/webhooks/cache-updates.ts";
import { invalidateAfterVisibilityChange } from "./invalidate-topic.ts";

export interface LiveContext {
  client: ClientData & Pick<Client, "presence">;
  accountId: number;
  /** Returns true while the user is looking at the end of this project's chat. */
  isViewingChat(projectId: number): boolean;
}

type Handlers = { [T in EventType]: (context: LiveContext, data: EventData<T>) => void };

const HANDLERS: Handlers = {
  "message.created": (context, message) => {
    upsertCachedMessageInOrder(context.client, message);
    invalidateFileMessages(context.client, message);
    context.client.presence.stopTyping(message.chat_id, message.account_id);
    applyActivity(context, { project_id: message.chat_id, message_id: message.id, account_id: message.account_id, mentions: message.mentions });
  },
  "message.updated": ({ client }, message) => {
    upsertCachedMessage(client, message);
    invalidateFileMessages(client, message);
    patchSearchResults(client, message);
    invalidateListedItems(client, isItem("message", message.id));
  },
  "messages.imported": ({ client }, { project_id }) => invalidate(client, messageKeys.project(project_id)),
  "attachment.updated": ({ client }, attachment) => upsertAttachment(client, attachment),
  "file.created": ({ client }, file) => {
    upsertFile(client, file);
    applyFileEvent(client, { type: "created", entry: file });
    if (!file.restored) return;
    invalidate(client, DELETED_FILES_KEY);
    invalidateAfterFileChange(client, file.is_folder);
    invalidatePlaylistsOf(client, null);
    invalidateListedItems(client);
  },
  "file.updated": ({ client }, file) => {
    upsertFile(client, file);
    applyFileEvent(client, { type: "updated", entry: file });
    invalidateDeliveryCheck(client, file.id);
    // A move changes which folders' task lists contain the file's tasks.
    if (file.moved) invalidate(client, taskKeys.folders);
    invalidatePlaylistsOf(client, file.id);
    // Most changes of a file show in no list of names.
    invalidateListedItems(client, (item) => isItem("file", file.id)(item) && (item.name !== file.name || item.kind !== file.kind));
  },
  "file.deleted": ({ client }, { id, is_folder }) => {
    markFileDeleted(client, id);
    invalidate(client, DELETED_FILES_KEY);
    applyFileEvent(client, { type: "deleted", id });
    invalidateAfterFileChange(client, is_folder ?? false);
    invalidatePlaylistsOf(client, is_folder ? null : id);
    invalidateListedItems(client, is_folder ? undefined : isItem("file", id));
  },
  "statuses.changed": ({ client }, event) => {
    applyTeamStatuses(client, event);
    invalidatePlaylistsOf(client, null);
  },
  // A signal says so too, for pages that follow no project.
  "agent_tasks.changed": ({ client }) => invalidate(client, AGENT_TASKS_KEY),
  "agent_actions.changed": ({ client }) => invalidate(client, AGENT_ACTIONS_KEY),
  "delivery_rules.changed": ({ client }) => invalidate(client, deliveryRulesKeys.all),
  "task.created": ({ client }, task) => upsertTask(client, task),
  "task.updated": ({ client }, task) => upsertTask(client, task),
  "task.deleted": ({ client }, { id }) => removeTask(client, id),
  "playlist.created": ({ client }, playlist) => applyPlaylistEvent(client, playlist),
  "playlist.updated": ({ client }, playlist) => {
    applyPlaylistEvent(client, playlist);
    invalidateListedItems(client, (item) => isItem("playlist", playlist.id)(item) && item.name !== playlist.name);
  },
  "playlist.deleted": ({ client }, { id }) => {
    removePlaylist(client, id);
    invalidateListedItems(client, isItem("playlist", id));
  },
  "metadata.updated": ({ client }, update) => {
    invalidateFileMetadata(client, update.file_id);
    applyMetadataUpdate(client, update);
  },
  "metadata.imported": ({ client }, { project_id }) => {
    invalidate(client, metadataKeys.all);
    invalidate(client, fileListKeys.project(project_id));
  },
  "metadata_templates.changed": ({ client }, { team_id }) => invalidateTemplates(client, team_id),
  "comment.created": ({ client, accountId }, comment) => upsertNewComment(client, comment, accountId),
  "comment.updated": ({ client }, comment) => upsertComment(client, comment),
  "project.updated": ({ client }, project) => {
    const known = client.queryClient.getQueryData(projectQueries.all().queryKey)?.find(({ id }) => id === project.id);
    // A group is visible through its projects.
    if (known && known.group_id !== project.group_id) invalidate(client, groupQueries.all().queryKey);
    // The root folder has the name of the project.
    if (known && known.name !== project.name) invalidate(client, fileListKeys.project(project.id));
    patchProjects(client, (projects) =>
      // The members that depend on the reader (unread counts, role) are not in the event and stay.
      projects.map((existing) => (existing.id === project.id ? { ...existing, ...project, last_message_id: existing.last_message_id } : existing)),
    );
    // Rules for names can contain the project's name.
    invalidate(client, deliveryRulesKeys.checks);
    invalidateListedItems(client, (item) => item.project_id === project.id && item.project_name !== project.name);
  },
  "project.deleted": ({ client }, { id }) => {
    patchProjects(client, (projects) => projects.filter((project) => project.id !== id));
    invalidateAfterVisibilityChange(client);
  },
  "project.restored": ({ client }) => invalidateAfterVisibilityChange(client),
  "project.member_added": ({ client }, { project_id }) => {
    invalidate(client, projectQueries.members(project_id).queryKey);
    invalidate(client, AGENTS_KEY);
  },
  "project.member_removed": ({ client }, { project_id, account_id }) => {
    patchDataAndLoads<ProjectMember[]>(client, projectQueries.members(project_id).queryKey, removeById(account_id));
    invalidate(client, AGENTS_KEY);
  },
  "organisation.updated": ({ client }, organisation) =>
    client.queryClient.setQueryData(sessionQueries.current().queryKey, (session) => session && { ...session, organisation }),
  "group.created": ({ client }) => invalidate(client, groupQueries.all().queryKey),
  "groups.changed": ({ client }) => invalidate(client, groupQueries.all().queryKey),
  "account.updated": ({ client }, { disabled, ...account }) => {
    if (client.queryClient.getQueryData(memberQueries.all().queryKey)?.some(({ id }) => id === account.id)) {
      patchDataAndLoads<Member[]>(client, memberQueries.all().queryKey, patchById({ ...account, disabled }));
    } else invalidate(client, memberQueries.all().queryKey);
    if (account.is_agent) invalidate(client, AGENTS_KEY);
    for (const [queryKey] of client.queryClient.getQueriesData({ predicate: ({ queryKey: key }) => key[0] === "projects" && key[2] === "members" })) {
      patchDataAndLoads<ProjectMember[]>(client, queryKey, patchById(account));
    }
    const previousSession = client.queryClient.getQueryData(sessionQueries.current().queryKey);
    client.queryClient.setQueryData(sessionQueries.current().queryKey, (session) =>
      session?.account.id === account.id ? withAccount({ ...session, role: account.role }, account) : session,
    );
    if (previousSession?.account.id !== account.id) return;
    // Their address may have changed.
    invalidateDelivery(client);
    if (previousSession.role !== account.role) void refreshForRole(client, account.role);
  },
  "webhook_endpoint.updated": ({ client }, endpoint) => upsertEndpoint(client, endpoint),
  "webhook_endpoint.deleted": ({ client }, { id }) => removeEndpoint(client, id),
  "delivery.updated": ({ client }, delivery) => upsertDelivery(client, delivery),
  "projects.changed": ({ client }) => invalidateAfterVisibilityChange(client),
  "tasks.changed": ({ client }) => invalidateOwnTasks(client),
  "favorites.changed": ({ client }) => invalidate(client, favoriteKeys.favorites),
  "recent_items.changed": ({ client }) => invalidate(client, favoriteKeys.recent),
  "read.moved": ({ client }, marker) => patchProjects(client, (projects) => applyReadMarker(projects, marker, { canMoveBack: true })),
  "comments.read": ({ client }, commentsRead) => applyCommentsRead(client, commentsRead),
  "notifications.changed": ({ client }, { unread_count }) => applyUnreadCount(client, unread_count),
  "notification_settings.changed": ({ client }) => invalidate(client, notificationKeys.settings),
  "file_watch.changed": ({ client }, watch) => applyFileWatch(client, watch),
  "notification_channels.changed": ({ client }) => invalidateDelivery(client),
  "sessions.changed": ({ client }) => {
    invalidate(client, sessionListQueries.all().queryKey);
    invalidate(client, ISSUED_ACCESS_KEY);
  },
};

/** Refetches tasks, which appear and disappear with their file, and all files for a folder, whose content changes without events of its own. */
function invalidateAfterFileChange(client: ClientData, isFolder: boolean): void {
  invalidate(client, taskKeys.all);
  if (isFolder) invalidate(client, fileKeys.all);
}

const isItem = (type: FavoriteType, id: number) => (item: ListedItem) => item.type === type && item.id === id;

/** Applies one event; ignores unknown types and shapes. */
export function handleEvent(context: LiveContext, event: LiveEvent): void {
  if (!Object.hasOwn(HANDLERS, event.type)) return;
  const type = event.type as keyof Handlers;
  const result = EVENT_DATA[type].safeParse(event.data);
  if (result.success) (HANDLERS[type] as (context: LiveContext, data: unknown) => void)(context, result.data);
}

/** Applies a signal, which no stored data depends on. Skips the activity of topics for which `deliversEvents` is true, because their events report it. */
export function handleSignal(context: LiveContext, signal: { type: string; data: unknown }, deliversEvents: (topic: string) => boolean): void {
  if (signal.type === "playlists.changed") return invalidate(context.client, playlistKeys.lists);
  if (signal.type === "agent_tasks.changed") return invalidate(context.client, AGENT_TASKS_KEY);
  if (signal.type === "agent_actions.changed") return invalidate(context.client, AGENT_ACTIONS_KEY);
  if (signal.type === "project.changed") return invalidate(context.client, projectQueries.all().queryKey, true);
  const handler = Object.hasOwn(SIGNAL_HANDLERS, signal.type) ? SIGNAL_HANDLERS[signal.type as keyof typeof SIGNAL_HANDLERS] : undefined;
  if (handler) return handler(context, signal.data);
  if (signal.type !== "project.activity") return;
  const result = projectActivity.safeParse(signal.data);
  if (result.success && !deliversEvents(`project:${result.data.project_id}`)) applyActivity(context, result.data);
}

function applyActivity({ client, accountId, isViewingChat }: LiveContext, activity: ProjectActivity): void {
  const reader = { accountId, seen: isViewingChat(activity.project_id) };
  patchProjects(client, (projects) => recordActivity(projects, activity, reader));
}

/** Handlers of signals by type; data of an unknown shape changes nothing. */
const SIGNAL_HANDLERS = {
  "file.progress"({ client }: LiveContext, data: unknown) {
    const { success, data: progress } = fileProgress.safeParse(data);
    if (success) client.queryState.processingProgress.update(progress);
  },
  presence({ client }: LiveContext, data: unknown) {
    const { success, data: update } = presence.safeParse(data);
    if (success) client.presence.setPresent(update.project_id, update.account_ids);
  },
  typing({ client, accountId }: LiveContext, data: unknown) {
    const { success, data: typist } = typing.safeParse(data);
    if (success && typist.account_id !== accountId) client.presence.startTyping(typist.project_id, typist.account_id);
  },
  "reader.moved"({ client }: LiveContext, data: unknown) {
    const { success, data: marker } = readerMoved.safeParse(data);
    if (success) patchDataAndLoads<MemberReadMarker[]>(client, readerKeys.project(marker.project_id), (markers) => withMemberReadMarker(markers, marker));
  },
};
