/** What comes in without the live channel: asks for what is new in each followed project. */
import type { QueryClient } from "@tanstack/react-query";
import { chatHistory } from "../../api/messages.ts";
import { ApiError } from "../../api/api-error.ts";
import { oldestUnsettled, refreshAttachments } from "../files/cache.ts";
import { projectQueries } from "../projects/options.ts";
import { appendPage, PAGE_SIZE, type History, type HistoryAnswer } from "./history.ts";
import { patchHistories } from "./cache.ts";
import { messageKeys } from "./keys.ts";

/** Projects and their unread counts are asked for again when they are older than this. */
const PROJECTS_STALE_MS = 15_000;

/** One round. Rejects only when the service cannot be reached at all. */
export async function pollMessages(client: QueryClient, topics: readonly string[]): Promise<void> {
  const projects = topics.flatMap((topic) => (topic.startsWith("project:") ? [Number(topic.slice("project:".length))] : []));
  const rounds: Promise<unknown>[] = projects.map((projectId) => pollProject(client, projectId));
  const all = projectQueries.all();
  if (projects.length === 0 || Date.now() - (client.getQueryState(all.queryKey)?.dataUpdatedAt ?? 0) > PROJECTS_STALE_MS) {
    rounds.push(client.fetchQuery({ ...all, staleTime: 0, retry: false }));
  }
  for (const result of await Promise.allSettled(rounds)) {
    if (result.status === "rejected" && isUnreachable(result.reason)) throw result.reason;
  }
}

async function pollProject(client: QueryClient, projectId: number): Promise<void> {
  const stretches = client.getQueryCache().findAll({ queryKey: messageKeys.project(projectId) });
  const ends = stretches.flatMap(({ state }) => (state.data && !(state.data as History).hasMoreAfter ? [(state.data as History).through] : []));
  if (ends.length === 0) return;
  const through = Math.min(...ends);
  const answer = await chatHistory({ project_id: projectId, limit: PAGE_SIZE, after_id: through });
  patchHistories(client, projectId, (history) => mergeTail(history, answer, through));
  await pollAttachments(client, projectId);
}

/** A file that was processed meanwhile changes a message that is known already: such messages are asked for again. */
async function pollAttachments(client: QueryClient, projectId: number): Promise<void> {
  const stretches = client.getQueryCache().findAll({ queryKey: messageKeys.project(projectId) });
  const unsettled = stretches.flatMap(({ state }) => (state.data ? (oldestUnsettled(state.data as History) ?? []) : []));
  if (unsettled.length === 0) return;
  const answer = await chatHistory({ project_id: projectId, limit: PAGE_SIZE, after_id: Math.min(...unsettled) - 1 });
  patchHistories(client, projectId, (history) => refreshAttachments(history, answer.data));
}

/**
 * Joins the newest messages to a stretch that reaches the end. A service that does not know `after_id` answers its newest page instead:
 * where that begins above what is known, something between is missing and the stretch no longer reaches the end.
 */
export function mergeTail(history: History, answer: HistoryAnswer, askedAfter: number): History {
  const first = answer.data[0];
  if (history.hasMoreAfter || first === undefined || history.through < askedAfter) return history;
  const knowsPaging = answer.has_more_after !== undefined;
  if (!knowsPaging && history.messages.length > 0 && first.id > history.through) return { ...history, hasMoreAfter: true };
  const joined = appendPage(history, answer);
  const same = joined.messages === history.messages && joined.through === history.through && joined.hasMoreAfter === history.hasMoreAfter;
  return same ? history : joined;
}

const isUnreachable = (reason: unknown) => reason instanceof ApiError && reason.isTemporary && reason.status !== 429;
