/** The newest messages of a chat, from a service that offers only the documented history: without paging and events, so the client polls. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { LIMITS } from "../../../contract/limits.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import type { Message, Quote } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import type { BodyOf } from "../../api/http.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { isPageActive, usePageActive } from "../../lib/page-activity.ts";
import { shouldRetry } from "../query-client.ts";
import { type History, toQuote } from "./history.ts";
import type { LoadedWindow } from "./use-message-history.ts";

/** Statuses with which a service may refuse a limit. */
const INVALID_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Milliseconds between polls while the page has the focus, is only visible, or is hidden. */
const POLL_MS = { active: 5_000, visible: 15_000, hidden: 60_000 };
const MAX_POLL_MS = 5 * 60_000;
/** Errors that a poll does not change; the reader can try again. */
const LASTING_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410]);

export interface NewestMessages {
  /** Ascending by id, without a gap after the oldest. */
  messages: readonly Message[];
  /** Messages of the last response that cannot be shown. */
  unreadable: number;
}

/** A larger chat is polled less often, in proportion: some services return all messages, however few were requested. */
const LARGE_CHAT = 1_000;

interface PollState {
  data?: NewestMessages | undefined;
  error: Error | null;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
}

/** Returns milliseconds until the next poll; false for none. While polls fail, each waits as long as the service has been failing. */
export function pollInterval({ data, error, dataUpdatedAt, errorUpdatedAt }: PollState, visibility: keyof typeof POLL_MS): number | false {
  const interval = POLL_MS[visibility] * Math.max(1, Math.ceil((data?.messages.length ?? 0) / LARGE_CHAT));
  if (!error) return interval;
  if (dataUpdatedAt === 0 || !(error instanceof ApiError) || LASTING_STATUSES.has(error.status)) return false;
  return Math.max(Math.min(MAX_POLL_MS, Math.max(interval, errorUpdatedAt - dataUpdatedAt)), (error.retryAfter ?? 0) * 1000);
}

const pageVisibility = () => (isPageActive() ? "active" : document.visibilityState === "visible" ? "visible" : "hidden");

const newestMessagesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["newest-messages", projectId] as const,
    queryFn: ({ queryKey, signal, meta }) => {
      const { client } = meta!;
      return fetchNewestMessages(client, projectId, client.queryClient.getQueryData<NewestMessages>(queryKey), signal);
    },
    refetchInterval: ({ state }) => pollInterval(state, pageVisibility()),
    refetchIntervalInBackground: true,
    staleTime: 0,
  });

/**
 * Requests the newest messages and adds them to those that are already loaded. Asks for as many as this project's own service returns; a service that
 * refuses that chooses the number itself, from then on in every chat.
 */
export async function fetchNewestMessages(
  { api, queryState }: Pick<ClientData, "api" | "queryState">,
  projectId: number,
  loaded: NewestMessages | undefined,
  signal?: AbortSignal,
): Promise<NewestMessages> {
  const request = async (body: BodyOf<typeof chatHistory>): Promise<NewestMessages> => {
    const { data, unreadable } = await api.call(chatHistory, { body }, { signal });
    return { messages: mergeNewest(loaded?.messages ?? [], data), unreadable: typeof unreadable === "number" ? unreadable : 0 };
  };
  const body = { project_id: projectId };
  if (queryState.historyLimit.isRefused) return request(body);
  try {
    return await request({ ...body, limit: LIMITS.history_max });
  } catch (error) {
    if (!(error instanceof ApiError && INVALID_STATUSES.has(error.status))) throw error;
    const newest = await request(body);
    queryState.historyLimit.isRefused = true;
    return newest;
  }
}

/**
 * Keeps the loaded messages that are older than the page, whose beginning moves on as messages arrive. They may have been deleted meanwhile, which such
 * a service does not show. A page that begins after all loaded messages leaves a gap, so the loaded ones go.
 */
export function mergeNewest(loaded: readonly Message[], page: readonly Message[]): readonly Message[] {
  const firstId = page[0]?.id ?? 0;
  const hasGap = (loaded.at(-1)?.id ?? 0) < firstId;
  const older = hasGap ? [] : loaded.filter(({ id }) => id < firstId);
  return older.length > 0 ? [...older, ...page] : page;
}

const NOT_LOADED = "not_loaded";
/** Returns whether a quote contains the message that it quotes; otherwise that message is not among the loaded ones. */
export const isQuoteLoaded = (quote: Quote): boolean => quote[NOT_LOADED] !== true;

/** Adds to each reply the quote of its parent, which this project's service sends with it and others do not. */
export function withQuotes(messages: readonly Message[]): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return messages.map((message) => {
    const { parent, parent_message_id: parentId, parent_chat_id: parentChatId, parent_account_id: parentAccountId, chat_id: chatId } = message;
    if (parentId === null || parent) return message;
    const parentMessage = parentChatId === null || parentChatId === chatId ? byId.get(parentId) : undefined;
    return { ...message, parent: parentMessage ? toQuote(parentMessage) : createUnloadedQuote(parentId, parentAccountId ?? 0) };
  });
}

const createUnloadedQuote = (id: number, account_id: number): Quote => ({
  id,
  account_id,
  excerpt: "",
  mentions: [],
  deleted: false,
  is_audio_message: false,
  attachment_name: null,
  [NOT_LOADED]: true,
});

export interface NewestWindow extends LoadedWindow {
  /** Messages of the last response that cannot be shown. */
  unreadable: number;
  /** Why the last poll failed. */
  pollError: Error | null;
}

const NO_PAGING = { loadOlder: () => {}, loadNewer: () => {}, isLoadingPage: false, olderFailed: false, newerFailed: false, trim: () => {} };

/** Polls the newest messages of a project's chat, as the one window of the chat that there is. */
export function useNewestMessages(projectId: number): NewestWindow {
  // A change of the page's activity changes the interval.
  usePageActive();
  const { queryClient } = useClient();
  const options = newestMessagesQuery(projectId);
  // A poll that fails is repeated by the next poll.
  const retry = (failureCount: number, error: Error) => queryClient.getQueryData(options.queryKey) === undefined && shouldRetry(failureCount, error);
  const query = useQuery({ ...options, retry });
  const { messages } = query.data ?? {};
  const history = useMemo(
    (): History | undefined =>
      messages && { messages: withQuotes(messages), hasMoreBefore: false, hasMoreAfter: false, completeThroughId: messages.at(-1)?.id ?? 0 },
    [messages],
  );
  return {
    history,
    error: query.data ? null : query.error,
    reload: query.refetch,
    restart: () => void queryClient.resetQueries({ queryKey: options.queryKey, exact: true }),
    ...NO_PAGING,
    unreadable: query.data?.unreadable ?? 0,
    pollError: query.data ? query.error : null,
  };
}
