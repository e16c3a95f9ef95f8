/** Schemas of the live channel: durable events with a gap-free `seq` per topic, and ephemeral signals without one. */
import * as z from "zod/mini";
import { comment, commentsRead } from "./comment-records.ts";
import { fileEntry } from "./file-records.ts";
import { account, attachment, fileStatus, group, message, organisation, project, memberReadMarker, lastReadMessageId, role } from "./records.ts";
import { metadataUpdate } from "./metadata-records.ts";
import { playlist } from "./playlist-records.ts";
import { task } from "./task-records.ts";
import { id, secret, timestamp } from "./text.ts";
import { delivery, webhookEndpoint } from "./webhook-records.ts";

/** `project:<id>` · `organisation:<id>` · `account:<id>` */
export const topic = z.string().check(z.regex(/^(project|organisation|account):[1-9]\d{0,15}$/, "must be project:<id>, organisation:<id> or account:<id>"));

export const WITHHELD = "withheld";

/** Types of events that somebody asks for. */
export const eventTypeNames = z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.minLength(1), z.maxLength(50));

/** A project without the members that depend on the reader. Events carry this shape; responses, also those to changes, carry the whole project. */
export const sharedProject = z.omit(project, { role: true, unread_count: true, last_read_message_id: true, mention_count: true });
const person = z.looseObject({ ...account.shape, role });

/**
 * Data of each durable event type. Clients ignore unknown types.
 * A `withheld` event has no data. It keeps the `seq` of an event that this reader must not see (a guest in the topic `organisation:<id>`), or of an event
 * whose message or comment text was redacted; a later event carries the current state.
 */
export const EVENT_DATA = {
  /** Events on project:<id>. */
  "message.created": message,
  "message.updated": message,
  /** Many messages changed without an event for each, by an import or because many files that they show changed at once: refetch what is shown. */
  "messages.imported": z.looseObject({ project_id: id }),
  /**
   * A new file or folder, or, with `restored`, one that was restored with its tasks. Restoring a folder restores its contents without an event for
   * each: refetch what is shown of it.
   */
  "file.created": z.looseObject({ ...fileEntry.shape, restored: z.optional(z.boolean()) }),
  /** `moved`: `parent_id` changed; a folder moves with its contents. */
  "file.updated": z.looseObject({ ...fileEntry.shape, moved: z.optional(z.boolean()) }),
  /** A folder's contents are deleted with it, without an event for each. */
  "file.deleted": z.looseObject({ id, parent_id: z.nullable(id), is_folder: z.optional(z.boolean()) }),
  /**
   * Every message with this version now shows this attachment: the version was processed or failed, or its file was renamed, deleted, restored or got another
   * status.
   */
  "attachment.updated": attachment,
  /** Deleting or restoring a file emits no events here for its tasks; their assignees receive `tasks.changed`. */
  "task.created": task,
  "task.updated": task,
  "task.deleted": z.looseObject({ id, file_id: id }),
  /** Created or restored. Events of playlists have none of the members that depend on the reader. */
  "playlist.created": playlist,
  /** Renamed, or its gap or its list of files changed: refetch the list. Deleting, renaming or replacing a file emits only the events of the file. */
  "playlist.updated": playlist,
  "playlist.deleted": z.looseObject({ id, project_id: id }),
  "metadata.updated": metadataUpdate,
  /** The metadata of many files changed without an event for each: refetch what is shown. */
  "metadata.imported": z.looseObject({ project_id: id }),
  /** Deleting or restoring a file emits no events for its comments. */
  "comment.created": comment,
  /** Edited, resolved, reopened, deleted, restored, or shown in the chat. */
  "comment.updated": comment,
  "project.updated": sharedProject,
  /** Nothing in it can be seen until it is restored. */
  "project.deleted": z.looseObject({ id, name: z.string() }),
  "project.restored": sharedProject,
  "project.member_added": z.looseObject({ project_id: id, member: person }),
  "project.member_removed": z.looseObject({ project_id: id, account_id: id }),
  /** Events on organisation:<id>. */
  "organisation.updated": organisation,
  "group.created": group,
  /** Changed or deleted: refetch the groups. It has no name, because some accounts do not see the group. */
  "groups.changed": z.looseObject({ team_id: id }),
  "account.updated": z.looseObject({ ...person.shape, disabled: z.boolean() }),
  /**
   * The team's current statuses in order. Files with one of these statuses show the title and color given here.
   * `replaced`: files with the deleted status now have the replacement, without an event for each.
   */
  "statuses.changed": z.looseObject({
    team_id: id,
    statuses: z.array(fileStatus),
    default_status_id: z.nullable(id),
    new_version_resets_status: z.optional(z.boolean()),
    replaced: z.optional(z.looseObject({ status_id: id, replacement_id: id })),
  }),
  /** Templates or fields of the team were created, changed, reordered, deleted or restored: refetch them. */
  "metadata_templates.changed": z.looseObject({ team_id: id }),
  /** A task of an agent or a run of it changed: refetch the tasks and runs that are shown. */
  "agent_tasks.changed": z.looseObject({ project_id: id, agent_id: id, task_id: id }),
  /** An agent did something in the project, or it was undone: refetch the log of the agent. */
  "agent_actions.changed": z.looseObject({ project_id: id, agent_id: id }),
  /** Refetch the team's delivery rules, and the checks of its files. */
  "delivery_rules.changed": z.looseObject({ team_id: id }),
  /** The events of webhooks are withheld from accounts that may not manage webhooks. */
  "webhook_endpoint.updated": webhookEndpoint,
  "webhook_endpoint.deleted": z.looseObject({ id }),
  "delivery.updated": delivery,
  /** Events on account:<id>. The projects visible to this account changed: refetch the project list. */
  "projects.changed": z.looseObject({ project_id: id }),
  /** Tasks assigned to this account changed: refetch them. */
  "tasks.changed": z.looseObject({ project_id: id }),
  /** The account's favorites changed: refetch them. Names and texts of what they show are in the response only. */
  "favorites.changed": z.looseObject({}),
  /** What the account opened and played changed: refetch it. */
  "recent_items.changed": z.looseObject({}),
  /** The account's own read marker moved, or its unread count changed because a message was deleted, restored or edited to mention somebody else. */
  "read.moved": z.looseObject({ project_id: id, last_read_message_id: lastReadMessageId, unread_count: z.int(), mention_count: z.optional(z.int()) }),
  /** The account's own read position in a file's comments moved, or its unread state changed because a comment was deleted or restored. */
  "comments.read": commentsRead,
  /** The account has new notifications, or its notifications were read or changed: refetch those that are shown. */
  "notifications.changed": z.looseObject({ unread_count: z.int() }),
  "notification_settings.changed": z.looseObject({}),
  /** The account watches a file, or no longer does. */
  "file_watch.changed": z.looseObject({ file_id: id, project_id: id, watching: z.boolean() }),
  /** The browsers that get push messages, or whether the account gets emails. */
  "notification_channels.changed": z.looseObject({}),
  "sessions.changed": z.looseObject({}),
} as const;
export type EventType = keyof typeof EVENT_DATA;
export type EventData<T extends EventType> = z.infer<(typeof EVENT_DATA)[T]>;

export const liveEvent = z.looseObject({
  topic: z.string(),
  seq: z.int(),
  type: z.string(),
  time: timestamp,
  data: z.looseObject({}),
});
export type LiveEvent = z.infer<typeof liveEvent>;

/**
 * Frame from client to service. `since` is the last `seq` applied; without it the subscription starts now. With `types`, events of other types are withheld:
 * they keep only their `seq`.
 */
export const clientFrame = z.union([
  z.object({ subscribe: z.object({ topic, since: z.optional(z.int().check(z.nonnegative())), types: z.optional(eventTypeNames) }) }),
  z.object({ unsubscribe: z.object({ topic }) }),
  /** The user is typing in a project whose topic this socket subscribes to; sent at most every two seconds. */
  z.object({ typing: z.object({ project_id: id }) }),
  z.object({ ping: z.int() }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** Frame from service to client. A `signal` is stored nowhere and may get lost, so clients must not depend on receiving it. */
export const serverFrame = z.union([
  z.looseObject({ event: liveEvent }),
  z.looseObject({ subscribed: z.looseObject({ topic: z.string(), seq: z.int() }) }),
  z.looseObject({ reset: z.looseObject({ topic: z.string(), seq: z.int() }) }),
  z.looseObject({ refused: z.looseObject({ topic: z.string(), reason: z.string() }) }),
  z.looseObject({ signal: z.looseObject({ type: z.string(), data: z.looseObject({}) }) }),
  z.looseObject({ pong: z.int() }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;

/** Signal `project.activity`: a message was written in a project that this account can see, whether or not the socket subscribes to it. */
export const projectActivity = z.looseObject({ project_id: id, message_id: id, account_id: id, mentions: z.optional(z.array(id)) });
export type ProjectActivity = z.infer<typeof projectActivity>;

/** Signal `file.progress`: processing progress, 0 to 1. */
export const fileProgress = z.looseObject({ project_id: id, file_id: id, version: z.int(), step: z.string(), progress: z.number() });
export type FileProgress = z.infer<typeof fileProgress>;

/** Signal `typing` to subscribers of the project: somebody else is typing; valid for six seconds. */
export const typing = z.looseObject({ project_id: id, account_id: id });
export type Typing = z.infer<typeof typing>;

/** Signal `presence` to subscribers of the project: who has it open now, sent on subscribing and on every change. */
export const presence = z.looseObject({ project_id: id, account_ids: z.array(id) });
export type Presence = z.infer<typeof presence>;

/** Signal `reader.moved` to subscribers of the project: somebody's read marker advanced. */
export const readerMoved = z.looseObject({ project_id: id, ...memberReadMarker.shape });
export type ReaderMoved = z.infer<typeof readerMoved>;

/** Data of each signal type. Clients ignore unknown types. */
export const SIGNAL_DATA = {
  "project.activity": projectActivity,
  /** The name, description or group of a project that this account can see changed, whether or not the socket subscribes to it. */
  "project.changed": z.looseObject({ project_id: id }),
  /** A playlist of a project that this account can see was created, changed or deleted, whether or not the socket subscribes to the project. */
  "playlists.changed": z.looseObject({ project_id: id }),
  /** A task of an agent, or a run of one, changed in a project that this account can see, whether or not the socket subscribes to the project. */
  "agent_tasks.changed": z.looseObject({ project_id: id }),
  /** An agent did something in a project that this account can see, or it was undone, whether or not the socket subscribes to the project. */
  "agent_actions.changed": z.looseObject({ project_id: id }),
  "file.progress": fileProgress,
  typing,
  presence,
  "reader.moved": readerMoved,
} as const;
export type SignalType = keyof typeof SIGNAL_DATA;

/** WebSocket close codes that the service sends. */
export const CLOSE_CODES = {
  /** Signed out, or the token was revoked: do not reconnect without a new sign-in. */
  unauthorized: 4401,
  /** The socket read too slowly: reconnect and catch up. */
  tooSlow: 4408,
  /** The service is stopping: reconnect soon. */
  goingAway: 1001,
} as const;

/** `GET /api/v2/live?ticket=` for clients that cannot send a cookie. */
export const ticket = z.looseObject({ ticket: secret, expires_at: timestamp });
