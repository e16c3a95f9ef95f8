/** The newest messages of a chat, from a service that offers only the documented history: without paging and events, so the client polls. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { LIMITS } from "../../../contract/limits.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import type { Message, Quote } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Api } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { isPageActive, usePageActive } from "../../lib/page-activity.ts";
import { shouldRetry } from "../query-client.ts";
import { type History, toQuote } from "./history.ts";
import type { LoadedWindow } from "./use-message-history.ts";

/** Messages per request: as many as this project's own service returns, or fewer if the service refuses that. Undefined leaves the number to it. */
const PAGE_SIZES: readonly (number | undefined)[] = [LIMITS.history_max, 100, 50, undefined];
/** Statuses with which a service may refuse a page size. */
const INVALID_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Milliseconds between polls while the page has the focus, is only visible, or is hidden. */
const POLL_MS = { active: 5_000, visible: 15_000, hidden: 60_000 };
const MAX_POLL_MS = 5 * 60_000;
/** Errors that a poll does not change; the reader can try again. */
const LASTING_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410]);

export interface NewestMessages {
  /** Ascending by id, without a gap after the oldest. */
  messages: readonly Message[];
  /** Number of messages in the last response. */
  pageLength: number;
  /** Messages of the last response that cannot be shown. */
  unreadable: number;
  /** Index of the page size that the service accepts. */
  sizeIndex: number;
}

/** A service that returns more messages than were requested is polled less often, in proportion. */
const LARGE_PAGE = 1_000;

interface PollState {
  data?: NewestMessages | undefined;
  error: Error | null;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
}

/** Returns milliseconds until the next poll; false for none. While polls fail, each waits as long as the service has been failing. */
export function pollInterval({ data, error, dataUpdatedAt, errorUpdatedAt }: PollState, visibility: keyof typeof POLL_MS): number | false {
  const interval = POLL_MS[visibility] * Math.max(1, Math.ceil((data?.pageLength ?? 0) / LARGE_PAGE));
  if (!error) return interval;
  if (dataUpdatedAt === 0 || !(error instanceof ApiError) || LASTING_STATUSES.has(error.status)) return false;
  return Math.max(Math.min(MAX_POLL_MS, Math.max(interval, errorUpdatedAt - dataUpdatedAt)), (error.retryAfter ?? 0) * 1000);
}

const pageVisibility = () => (isPageActive() ? "active" : document.visibilityState === "visible" ? "visible" : "hidden");

const newestMessagesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["newest-messages", projectId] as const,
    queryFn: ({ queryKey, signal, meta }) => {
      const { api, queryClient } = meta!.client;
      return fetchNewestMessages(api, projectId, queryClient.getQueryData<NewestMessages>(queryKey), signal);
    },
    refetchInterval: ({ state }) => pollInterval(state, pageVisibility()),
    refetchIntervalInBackground: true,
    staleTime: 0,
  });

/** Requests the newest messages and adds them to those that are already loaded. */
export async function fetchNewestMessages(api: Api, projectId: number, loaded: NewestMessages | undefined, signal?: AbortSignal): Promise<NewestMessages> {
  for (let sizeIndex = loaded?.sizeIndex ?? 0; ; sizeIndex += 1) {
    try {
      const limit = PAGE_SIZES[sizeIndex];
      const response = await api.call(chatHistory, { body: { project_id: projectId, ...(limit === undefined ? {} : { limit }) } }, { signal });
      const { unreadable } = response;
      return { ...mergeNewest(loaded, response.data), unreadable: typeof unreadable === "number" ? unreadable : 0, sizeIndex };
    } catch (error) {
      const isRefusedSize = error instanceof ApiError && INVALID_STATUSES.has(error.status) && sizeIndex < PAGE_SIZES.length - 1;
      if (!isRefusedSize) throw error;
    }
  }
}

/**
 * Keeps the loaded messages that are older than the page, whose end moves on as messages arrive. A page with fewer messages than the one before is the
 * whole chat, in which messages were deleted; a page that begins after all loaded messages leaves a gap. In both cases the older ones go.
 */
export function mergeNewest(loaded: Pick<NewestMessages, "messages" | "pageLength"> | undefined, page: readonly Message[]) {
  const firstId = page[0]?.id ?? 0;
  const isWholeChat = loaded === undefined || page.length < loaded.pageLength;
  const hasGap = (loaded?.messages.at(-1)?.id ?? 0) < firstId;
  const older = isWholeChat || hasGap ? [] : loaded.messages.filter(({ id }) => id < firstId);
  return { messages: older.length > 0 ? [...older, ...page] : page, pageLength: page.length };
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
