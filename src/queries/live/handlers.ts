/** What each event and signal changes in the cache. */
import type { QueryClient } from "@tanstack/react-query";
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
import type { LaterEventType } from "../../../contract/later-events.ts";
import type { Project, ProjectMember, ReaderMark } from "../../../contract/records.ts";
import { loadedOnce } from "../../lib/loaded-once.ts";
import { commentsCode } from "../comments/code.ts";
import { commentKeys } from "../comments/keys.ts";
import { putAttachment, putDeleted, putFile } from "../files/put.ts";
import { fileKeys } from "../files/keys.ts";
import { fileListKeys } from "../file-lists/keys.ts";
import { tellFileNews } from "../files/news.ts";
import { progressOf } from "../files/progress.ts";
import { groupQueries } from "../groups/options.ts";
import { withMember } from "../members/cache.ts";
import { memberQueries } from "../members/options.ts";
import { foundKeys } from "../message-search/keys.ts";
import { putFound } from "../message-search/put.ts";
import { putMessage, putMessageInTurn } from "../messages/cache.ts";
import { messageKeys } from "../messages/keys.ts";
import { nearbyOf } from "../nearby/nearby.ts";
import { withoutProjectMember } from "../projects/cache.ts";
import { projectQueries } from "../projects/options.ts";
import { noteActivity, setRead } from "../projects/unread.ts";
import { withMark } from "../readers/cache.ts";
import { readerKeys } from "../readers/keys.ts";
import { renew } from "../renew.ts";
import { withAccount } from "../session/cache.ts";
import { sessionQueries } from "../session/options.ts";
import { deviceQueries } from "../sessions/options.ts";
import { taskKeys } from "../tasks/keys.ts";
import { dropTask, putTask, renewOwnTasks } from "../tasks/put.ts";
import { webhookKeys } from "../webhooks/keys.ts";
import { renewForRole } from "./own-role.ts";

export interface LiveContext {
  client: QueryClient;
  accountId: number;
  /** True while its person is looking at the end of this project's chat. */
  isSeen(projectId: number): boolean;
}

/**
 * What only some views show loads with them, or with the first news, and checks its records itself: all in the order in which it came.
 * Where the code cannot be loaded no such view was opened, so there is nothing to change.
 */
type Later = (context: LiveContext, type: LaterEventType, data: unknown) => void;
const ignored = () => undefined;
const comments: Later = (context, type, data) =>
  void commentsCode().then(
    ({ hearComments }) => hearComments(context, type, data),
    // The dots of lists and chats may be others by now.
    () => renewDots(context.client),
  );
const webhooksCode = loadedOnce(() => import("../webhooks/put.ts"));
const webhooks: Later = ({ client }, type, data) => void webhooksCode().then(({ hearWebhooks }) => hearWebhooks(client, type, data), ignored);

const statusesCode = loadedOnce(() => import("../statuses/put.ts"));

const LATER: Record<LaterEventType, Later> = {
  "comment.created": comments,
  "comment.updated": comments,
  "comments.read": comments,
  "webhook_endpoint.updated": webhooks,
  "webhook_endpoint.deleted": webhooks,
  "delivery.updated": webhooks,
};

type Handlers = { [T in Exclude<EventType, LaterEventType>]: (context: LiveContext, data: EventData<T>) => void };

const HANDLERS: Handlers = {
  "message.created": (context, message) => {
    putMessageInTurn(context.client, message);
    nearbyOf(context.client).stopTyping(message.chat_id, message.account_id);
    activity(context, { project_id: message.chat_id, message_id: message.id, account_id: message.account_id, mentions: message.mentions });
  },
  "message.updated": ({ client }, message) => {
    putMessage(client, message);
    putFound(client, message);
  },
  "messages.imported": ({ client }, { project_id }) => renew(client, messageKeys.project(project_id)),
  "attachment.updated": ({ client }, attachment) => putAttachment(client, attachment),
  "file.created": ({ client }, file) => {
    putFile(client, file);
    tellFileNews(client, { type: "created", entry: file });
    if (file.restored) renewAbout(client, file.is_folder);
  },
  "file.updated": ({ client }, file) => {
    putFile(client, file);
    tellFileNews(client, { type: "updated", entry: file });
    // Which folders its tasks stand in.
    if (file.moved) renew(client, taskKeys.folders);
  },
  "file.deleted": ({ client }, { id, is_folder }) => {
    putDeleted(client, id);
    tellFileNews(client, { type: "deleted", id });
    renewAbout(client, is_folder ?? false);
  },
  // They change rarely: what follows from it loads then.
  "statuses.changed": ({ client }, news) => void statusesCode().then(({ putStatuses }) => putStatuses(client, news), ignored),
  "task.created": ({ client }, task) => putTask(client, task),
  "task.updated": ({ client }, task) => putTask(client, task),
  "task.deleted": ({ client }, { id }) => dropTask(client, id),
  "project.updated": ({ client }, project) =>
    patchProjects(client, (projects) =>
      // What depends on who asks (unread, role) is not in the event and stays.
      projects.map((known) => (known.id === project.id ? { ...known, ...project, last_message_id: known.last_message_id } : known)),
    ),
  "project.member_added": ({ client }, { project_id }) => renew(client, projectQueries.members(project_id).queryKey),
  "project.member_removed": ({ client }, { project_id, account_id }) =>
    client.setQueryData(projectQueries.members(project_id).queryKey, (people) => withoutProjectMember(people, account_id)),
  "group.created": ({ client }) => renew(client, groupQueries.all().queryKey),
  "account.updated": ({ client }, { disabled, ...account }) => {
    if (client.getQueryData(memberQueries.all().queryKey)?.some(({ id }) => id === account.id)) {
      client.setQueryData(memberQueries.all().queryKey, (members) => withMember(members, { ...account, disabled }));
    } else renew(client, memberQueries.all().queryKey);
    for (const [queryKey] of client.getQueriesData({ predicate: ({ queryKey: key }) => key[0] === "projects" && key[2] === "members" })) {
      client.setQueryData<ProjectMember[]>(queryKey, (people) => people?.map((one) => (one.id === account.id ? { ...one, ...account } : one)));
    }
    const before = client.getQueryData(sessionQueries.current().queryKey);
    client.setQueryData(sessionQueries.current().queryKey, (session) =>
      session?.account.id === account.id ? withAccount({ ...session, role: account.role }, account) : session,
    );
    if (before?.account.id === account.id && before.role !== account.role) void renewForRole(client, account.role);
  },
  "projects.changed": ({ client }) => {
    renew(client, projectQueries.all().queryKey, true);
    renewOwnTasks(client);
  },
  "tasks.changed": ({ client }) => renewOwnTasks(client),
  "read.moved": ({ client }, marker) => patchProjects(client, (projects) => setRead(projects, marker, { back: true })),
  "sessions.changed": ({ client }) => renew(client, deviceQueries.all().queryKey),
};

/** Tasks go and come with their file; what lies in a folder does without an event of its own. */
function renewAbout(client: QueryClient, isFolder: boolean): void {
  renew(client, taskKeys.all);
  if (isFolder) renew(client, fileKeys.all);
}

/** Applies one event. Types and shapes that this client does not know change nothing. */
export function handle(context: LiveContext, event: LiveEvent): void {
  if (Object.hasOwn(LATER, event.type)) return LATER[event.type as LaterEventType](context, event.type as LaterEventType, event.data);
  if (!Object.hasOwn(HANDLERS, event.type)) return;
  const type = event.type as keyof Handlers;
  const result = EVENT_DATA[type].safeParse(event.data);
  if (result.success) (HANDLERS[type] as (context: LiveContext, data: unknown) => void)(context, result.data);
}

/** Applies a signal: a hint that nothing durable depends on. `followed` topics tell the same by events. */
export function handleSignal(context: LiveContext, signal: { type: string; data: unknown }, followed: (topic: string) => boolean): void {
  if (signal.type === "project.changed") return renew(context.client, projectQueries.all().queryKey, true);
  const hear = Object.hasOwn(SIGNALS, signal.type) ? SIGNALS[signal.type as keyof typeof SIGNALS] : undefined;
  if (hear) return hear(context, signal.data);
  if (signal.type !== "project.activity") return;
  const result = projectActivity.safeParse(signal.data);
  if (result.success && !followed(`project:${result.data.project_id}`)) activity(context, result.data);
}

/** Which files have unread comments comes with the lists and messages that show it. */
function renewDots(client: QueryClient): void {
  renew(client, messageKeys.all);
  renew(client, fileKeys.all);
  renew(client, fileListKeys.all);
}

/** After a topic lost its thread: everything cached of it is loaded again. */
export function renewTopic(client: QueryClient, topic: string): void {
  const [kind, id] = topic.split(":");
  if (kind === "project") {
    renew(client, messageKeys.project(Number(id)));
    renew(client, foundKeys.project(Number(id)));
    renew(client, projectQueries.members(Number(id)).queryKey);
    renew(client, readerKeys.project(Number(id)));
    renew(client, fileKeys.all);
    renew(client, commentKeys.all);
    renew(client, fileListKeys.project(Number(id)));
  }
  if (kind !== "organisation") renew(client, taskKeys.all);
  if (kind === "account") renewDots(client);
  renew(client, projectQueries.all().queryKey, true);
  if (kind === "organisation") {
    renew(client, groupQueries.all().queryKey);
    renew(client, memberQueries.all().queryKey);
    renew(client, webhookKeys.all);
  }
}

function activity({ client, accountId, isSeen }: LiveContext, news: ProjectActivity): void {
  const reader = { accountId, seen: isSeen(news.project_id) };
  patchProjects(client, (projects) => noteActivity(projects, news, reader));
}

/** A list that is being fetched may be older than the news and would undo the patch: it is fetched again. */
function patchProjects(client: QueryClient, patch: (projects: readonly Project[]) => readonly Project[]): void {
  const { queryKey } = projectQueries.all();
  client.setQueryData(queryKey, (projects) => projects && (patch(projects) as typeof projects));
  if (client.isFetching({ queryKey, exact: true }) > 0) renew(client, queryKey, true);
}

/** Hints of which nothing durable depends; a shape that this client does not know changes nothing. */
const SIGNALS = {
  "file.progress"({ client }: LiveContext, data: unknown) {
    const { success, data: progress } = fileProgress.safeParse(data);
    if (success) progressOf(client).hear(progress);
  },
  presence({ client }: LiveContext, data: unknown) {
    const { success, data: now } = presence.safeParse(data);
    if (success) nearbyOf(client).hearPresence(now.project_id, now.account_ids);
  },
  typing({ client, accountId }: LiveContext, data: unknown) {
    const { success, data: who } = typing.safeParse(data);
    if (success && who.account_id !== accountId) nearbyOf(client).hearTyping(who.project_id, who.account_id);
  },
  "reader.moved"({ client }: LiveContext, data: unknown) {
    const { success, data: moved } = readerMoved.safeParse(data);
    if (success) client.setQueryData<ReaderMark[]>(readerKeys.project(moved.project_id), (marks) => withMark(marks, moved));
  },
};
