/** The live channel: durable events with a gap-free `seq` per topic, signals without one. */
import * as z from "zod/mini";
import { fileEntry } from "./file-records.ts";
import type { LAZY_EVENT_DATA } from "./later-events.ts";
import { account, attachment, fileStatus, group, message, project, readerMark, lastReadMessageId, role } from "./records.ts";
import { task } from "./task-records.ts";
import { id, secret, timestamp } from "./text.ts";

/** `project:<id>` · `organisation:<id>` · `account:<id>` */
export const topic = z.string().check(z.regex(/^(project|organisation|account):[1-9]\d{0,15}$/, "must be project:<id>, organisation:<id> or account:<id>"));

export const WITHHELD = "withheld";

/** A project as everybody sees it: without the members that depend on who asks. */
export const sharedProject = z.omit(project, { role: true, unread_count: true, last_read_message_id: true, mention_count: true });
const person = z.looseObject({ ...account.shape, role });

/**
 * What each durable event carries. An unknown type is ignored by clients; one of them is `withheld`, without data:
 * it keeps the place of an event that this reader must not see (a guest in the organisation's topic), or that tells of a message
 * what it says no more: a later event tells how it stands. The others are in `later-events.ts`.
 */
export const EVENT_DATA = {
  /** on project:<id> */
  "message.created": message,
  "message.updated": message,
  /** Many messages came at once, without an event each: fetch what is shown again. */
  "messages.imported": z.looseObject({ project_id: id }),
  /** A new one; `restored`: one that is there again, and its tasks. A folder that was brought back has all below it again, without an event each: fetch what is shown of it. */
  "file.created": z.looseObject({ ...fileEntry.shape, restored: z.optional(z.boolean()) }),
  /** `moved`: it has another `parent_id` than before, a folder with all below it. */
  "file.updated": z.looseObject({ ...fileEntry.shape, moved: z.optional(z.boolean()) }),
  /** A folder is gone with all below it, without an event each. */
  "file.deleted": z.looseObject({ id, parent_id: z.nullable(id), is_folder: z.optional(z.boolean()) }),
  /** A version was processed or failed, or its file got another name or status: what every message that carries it now shows. */
  "attachment.updated": attachment,
  /** Of a file that is deleted or brought back, tasks go and come without a word here; their assignees hear `tasks.changed`. */
  "task.created": task,
  "task.updated": task,
  "task.deleted": z.looseObject({ id, file_id: id }),
  "project.updated": sharedProject,
  "project.member_added": z.looseObject({ project_id: id, member: person }),
  "project.member_removed": z.looseObject({ project_id: id, account_id: id }),
  /** on organisation:<id> */
  "group.created": group,
  "account.updated": z.looseObject({ ...person.shape, disabled: z.boolean() }),
  /**
   * The team's statuses as they stand now, in their order. Files that have one show it as it is here; `replaced`: those that had
   * a deleted one have the other, without an event each.
   */
  "statuses.changed": z.looseObject({
    team_id: id,
    statuses: z.array(fileStatus),
    default_status_id: z.nullable(id),
    replaced: z.optional(z.looseObject({ status_id: id, replacement_id: id })),
  }),
  /** on account:<id>: what this person sees has changed; fetch the project list again. */
  "projects.changed": z.looseObject({ project_id: id }),
  /** Tasks of this person have changed: fetch them again. */
  "tasks.changed": z.looseObject({ project_id: id }),
  /** Somebody's own marker moved, or what is unread after it became less or more: a message was deleted, brought back or mentions somebody else. */
  "read.moved": z.looseObject({ project_id: id, last_read_message_id: lastReadMessageId, unread_count: z.int(), mention_count: z.optional(z.int()) }),
  "sessions.changed": z.looseObject({}),
} as const;
type EventSchemas = typeof EVENT_DATA & typeof LAZY_EVENT_DATA;
export type EventType = keyof EventSchemas;
export type EventData<T extends EventType> = z.infer<EventSchemas[T]>;

export const liveEvent = z.looseObject({
  topic: z.string(),
  seq: z.int(),
  type: z.string(),
  time: timestamp,
  data: z.looseObject({}),
});
export type LiveEvent = z.infer<typeof liveEvent>;

/** From client to service. `since` is the last `seq` applied; without it the subscription starts now. */
export const clientFrame = z.union([
  z.object({ subscribe: z.object({ topic, since: z.optional(z.int().check(z.nonnegative())) }) }),
  z.object({ unsubscribe: z.object({ topic }) }),
  /** Somebody writes in a project whose topic this socket follows; at most every two seconds. */
  z.object({ typing: z.object({ project_id: id }) }),
  z.object({ ping: z.int() }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** From service to client. `signal`s are not durable: a hint, never the only carrier of a fact. */
export const serverFrame = z.union([
  z.looseObject({ event: liveEvent }),
  z.looseObject({ subscribed: z.looseObject({ topic: z.string(), seq: z.int() }) }),
  z.looseObject({ reset: z.looseObject({ topic: z.string(), seq: z.int() }) }),
  z.looseObject({ refused: z.looseObject({ topic: z.string(), reason: z.string() }) }),
  z.looseObject({ signal: z.looseObject({ type: z.string(), data: z.looseObject({}) }) }),
  z.looseObject({ pong: z.int() }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;

/**
 * Signal `project.activity`: somebody wrote in a project that this account sees.
 * The other signal, `project.changed` with `{project_id}`, says that its name, description or group is another one.
 */
export const projectActivity = z.looseObject({ project_id: id, message_id: id, account_id: id, mentions: z.optional(z.array(id)) });
export type ProjectActivity = z.infer<typeof projectActivity>;

/** Signal `file.progress`: how far processing has come, 0 to 1. */
export const fileProgress = z.looseObject({ project_id: id, file_id: id, version: z.int(), step: z.string(), progress: z.number() });
export type FileProgress = z.infer<typeof fileProgress>;

/** Signal `typing`, for who follows the project: somebody else is writing; it holds for six seconds. */
export const typing = z.looseObject({ project_id: id, account_id: id });
export type Typing = z.infer<typeof typing>;

/** Signal `presence`, for who follows the project: who has it open now, told at subscribing and at every change. */
export const presence = z.looseObject({ project_id: id, account_ids: z.array(id) });
export type Presence = z.infer<typeof presence>;

/** Signal `reader.moved`, for who follows the project: somebody has read further. */
export const readerMoved = z.looseObject({ project_id: id, ...readerMark.shape });
export type ReaderMoved = z.infer<typeof readerMoved>;

/** WebSocket close codes of ours. */
export const CLOSE_CODES = {
  /** Signed out, or the token was revoked: do not reconnect before signing in. */
  unauthorized: 4401,
  /** The socket read too slowly: reconnect and catch up. */
  tooSlow: 4408,
  /** The service is stopping: reconnect soon. */
  goingAway: 1001,
} as const;

/** `GET /api/v2/live?ticket=` for clients that cannot send a cookie. */
export const ticket = z.looseObject({ ticket: secret, expires_at: timestamp });
