/** Patches every cached window of a project's messages, and the cached search results. */
import type { InfiniteData } from "@tanstack/react-query";
import type { Message } from "../../../contract/records.ts";
import type { ClientData } from "../../client/client.ts";
import { invalidate, patchRecordingLoads } from "../query-client.ts";
import { advanceCompleteThrough, type WindowStart, type History, upsertMessage } from "./history.ts";

export const messageKeys = {
  all: ["messages"] as const,
  project: (projectId: number) => ["messages", projectId] as const,
  history: (projectId: number, windowStart: WindowStart) => ["messages", projectId, windowStart] as const,
};

export const messageSearchKeys = { project: (projectId: number) => ["message-search", projectId] as const };

export const singleMessageKeys = {
  all: ["single-messages"] as const,
  project: (projectId: number) => ["single-messages", projectId] as const,
  message: (projectId: number, id: number) => ["single-messages", projectId, id] as const,
  /** The last message with files above a message. */
  above: (projectId: number, id: number) => ["single-messages", projectId, "above", id] as const,
};

type Patch = (history: History) => History;
interface SearchPage {
  data: Message[];
}

/** Patches every loaded window of a project; a patch that returns its argument notifies no observers. */
export const patchHistories = (client: ClientData, projectId: number, patch: Patch): void => patchRecordingLoads(client, messageKeys.project(projectId), patch);

/** Patches one loaded window, and the load of it in flight; the patch must not change a window that it does not fit. */
export const patchHistory = (client: ClientData, projectId: number, windowStart: WindowStart, patch: Patch): void =>
  patchRecordingLoads(client, messageKeys.history(projectId, windowStart), patch);

/** Patches every loaded window of all projects. */
export const patchAllHistories = (client: ClientData, patch: Patch): void => patchRecordingLoads(client, messageKeys.all, patch);

/** Upserts a sent or changed message from a response or an event. */
export function upsertCachedMessage(client: ClientData, message: Message): void {
  patchHistories(client, message.chat_id, (history) => upsertMessage(history, message));
  refetchSingleMessages(client, singleMessageKeys.project(message.chat_id), (single, aboveId) => {
    if (single?.id === message.id) return (single.revision ?? 0) < (message.revision ?? 0);
    // It may have become the last one with files above another message.
    return aboveId !== null && message.attachments.length > 0 && message.id < aboveId && message.id > (single?.id ?? 0);
  });
}

/**
 * Refetches the single messages that a change affects, and those whose load in flight may have missed it. `aboveId` is the message above which the single
 * message was searched, or null.
 */
export function refetchSingleMessages(
  client: ClientData,
  queryKey: readonly unknown[],
  isAffected: (single: Message | null, aboveId: number | null) => boolean,
): void {
  for (const { queryKey: key, state } of client.queryClient.getQueryCache().findAll({ queryKey })) {
    const aboveId = key[2] === "above" ? Number(key[3]) : null;
    const single = state.data as Message | null | undefined;
    if (state.fetchStatus === "fetching" || (single !== undefined && isAffected(single, aboveId))) invalidate(client, key, true);
  }
}

/** Upserts a message that arrived in order, so that none before it is missing. */
export function upsertCachedMessageInOrder(client: ClientData, message: Message): void {
  patchHistories(client, message.chat_id, (history) => advanceCompleteThrough(upsertMessage(history, message), message.id));
}

/** Replaces older revisions of the message in search results, or removes them if it is deleted. Returns the same pages when nothing changes. */
export function patchSearchPages<P extends SearchPage>(pages: readonly P[], message: Message): readonly P[] {
  const isOlder = (existing: Message) => existing.id === message.id && (existing.revision ?? 0) < (message.revision ?? 0);
  if (!pages.some(({ data }) => data.some(isOlder))) return pages;
  return pages.map((page) => ({
    ...page,
    data: page.data.filter((cached) => !isOlder(cached) || !message.deleted).map((cached) => (isOlder(cached) ? message : cached)),
  }));
}

/** Patches the search results of the message's project, and again after a fetch in flight, whose response may be older than the message. */
export function patchSearchResults(client: ClientData, message: Message): void {
  const queryKey = messageSearchKeys.project(message.chat_id);
  const patch = () =>
    client.queryClient.setQueriesData<InfiniteData<SearchPage>>({ queryKey }, (results) => {
      if (!results) return results;
      const pages = patchSearchPages(results.pages, message);
      return pages === results.pages ? results : { ...results, pages: [...pages] };
    });
  patch();
  const inFlight = client.queryClient.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  for (const query of inFlight) void query.promise?.catch(() => {}).then(patch);
}
