/** Polls each followed project for new messages while the live channel is down. */
import { chatHistory } from "../../../contract/operations/chat.ts";
import { ApiError, offlineError } from "../../api/api-error.ts";
import type { ClientData } from "../../client/client.ts";
import { attachmentsOf, firstProcessingMessageId, refreshAttachments } from "../../queries/files/file-updates.ts";
import { appendPage, PAGE_SIZE, type History, type HistoryResponse } from "../../queries/messages/history.ts";
import { messageKeys, patchHistories } from "../../queries/messages/cache-updates.ts";
import { projectQueries } from "../../queries/projects.ts";

/** A poll refetches the project list with its unread counts when it is older than this. */
const PROJECTS_STALE_MS = 15_000;

/** Runs one poll; rejects only when the service cannot be reached at all. */
export async function pollMessages(client: ClientData, topics: readonly string[]): Promise<void> {
  const projects = topics.flatMap((topic) => (topic.startsWith("project:") ? [Number(topic.slice("project:".length))] : []));
  const requests: Promise<unknown>[] = projects.map((projectId) => pollProject(client, projectId));
  const projectsQuery = projectQueries.all();
  if (projects.length === 0 || Date.now() - (client.queryClient.getQueryState(projectsQuery.queryKey)?.dataUpdatedAt ?? 0) > PROJECTS_STALE_MS) {
    requests.push(client.queryClient.fetchQuery({ ...projectsQuery, staleTime: 0, retry: false }));
  }
  const results = await Promise.allSettled(requests);
  for (const result of results) if (result.status === "rejected" && isUnreachable(result.reason)) throw result.reason;
  // Without any request, the tabs of a browser would disagree about whether the service responds.
  if (results.every((result) => result.status === "fulfilled" && result.value === NOTHING_LOADED) && !(await client.api.isReachable()))
    throw offlineError(null);
}

/** Resolves to this if there is nothing to request. */
const NOTHING_LOADED = Symbol("nothing loaded");

async function pollProject(client: ClientData, projectId: number): Promise<typeof NOTHING_LOADED | undefined> {
  const loadedHistories = () =>
    client.queryClient.getQueriesData<History>({ queryKey: messageKeys.project(projectId) }).flatMap(([, history]) => history ?? []);
  const fetchAfter = (after_id: number) => client.api.call(chatHistory, { body: { project_id: projectId, limit: PAGE_SIZE, after_id } });

  const completeThroughIds = loadedHistories().flatMap(({ hasMoreAfter, completeThroughId }) => (hasMoreAfter ? [] : completeThroughId));
  if (completeThroughIds.length === 0) return NOTHING_LOADED;
  const afterId = Math.min(...completeThroughIds);
  const newest = await fetchAfter(afterId);
  patchHistories(client, projectId, (history) => mergeTail(history, newest, afterId));

  // The end of processing changes a loaded message, so messages with files in processing are fetched again.
  const histories = loadedHistories();
  const firstProcessingIds = histories.flatMap((history) => firstProcessingMessageId(history) ?? []);
  if (firstProcessingIds.length === 0) return undefined;
  const attachmentsAtRequest = new Set(histories.flatMap(attachmentsOf));
  const processing = await fetchAfter(Math.min(...firstProcessingIds) - 1);
  patchHistories(client, projectId, (history) => refreshAttachments(history, processing.data, attachmentsAtRequest));
  return undefined;
}

/**
 * Appends the newest messages to a window that reaches the end. A service that does not support `after_id` returns its newest page instead: if
 * that page begins after the loaded messages, some are missing in between and the window no longer reaches the end.
 */
export function mergeTail(history: History, response: HistoryResponse, afterId: number): History {
  const first = response.data[0];
  if (history.hasMoreAfter || first === undefined || history.completeThroughId < afterId) return history;
  const supportsPaging = response.has_more_after !== undefined;
  if (!supportsPaging && history.messages.length > 0 && first.id > history.completeThroughId) return { ...history, hasMoreAfter: true };
  const merged = appendPage(history, response);
  const isUnchanged =
    merged.messages === history.messages && merged.completeThroughId === history.completeThroughId && merged.hasMoreAfter === history.hasMoreAfter;
  return isUnchanged ? history : merged;
}

const isUnreachable = (reason: unknown) => reason instanceof ApiError && reason.isTemporary && reason.status !== 429;
