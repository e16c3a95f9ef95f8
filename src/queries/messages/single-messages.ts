/** Queries single messages that no loaded window has. */
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { searchMessages } from "../../../contract/operations/messages.ts";
import type { Message } from "../../../contract/records.ts";
import { useHasFeature } from "../service.ts";
import { singleMessageKeys } from "./cache-updates.ts";

const STALE_MS = 5 * 60_000;
/** Replied messages that are requested at a time. */
const MAX_MESSAGES = 20;
/** Messages with files among which one is searched. */
const MAX_ABOVE = 50;

const byId = (projectId: number, id: number, isEnabled: boolean) =>
  queryOptions({
    queryKey: singleMessageKeys.message(projectId, id),
    queryFn: async ({ signal, meta }): Promise<Message | null> => {
      const { data } = await meta!.client.api.call(chatHistory, { body: { project_id: projectId, limit: 1, around_id: id } }, { signal });
      return data.find((message) => message.id === id) ?? null;
    },
    staleTime: STALE_MS,
    enabled: isEnabled,
  });

/** Returns the messages with these ids, as far as they have arrived; null for one that does not exist. */
export function useMessagesById(projectId: number, ids: readonly number[]): ReadonlyMap<number, Message | null> {
  const isEnabled = useHasFeature("messages");
  return useQueries({
    queries: ids.slice(0, MAX_MESSAGES).map((id) => byId(projectId, id, isEnabled)),
    // The same function returns the same map as long as nothing arrives.
    combine: useCallback(
      (results: readonly { data: Message | null | undefined }[]) =>
        new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[ids[index]!, data] as const]))),
      [ids],
    ),
  });
}

/** Returns the last message with files above this one that matches, among the last 50; null if there is none, or none is known yet. */
export function useMessageAbove(projectId: number, message: Message | null, matches: (candidate: Message) => boolean): Message | null {
  const isEnabled = useHasFeature("chat-search") && message !== null;
  const { data } = useQuery({
    queryKey: singleMessageKeys.above(projectId, message?.id ?? 0),
    queryFn: async ({ signal, meta }): Promise<Message | null> => {
      // The messages of one millisecond differ by their ids.
      const until = new Date(Date.parse(message!.datetime) + 1).toISOString();
      const query = { has: "file", until, limit: MAX_ABOVE } as const;
      const { data: found } = await meta!.client.api.call(searchMessages, { params: { project_id: projectId }, query }, { signal });
      return found.find((candidate) => candidate.id < message!.id && matches(candidate)) ?? null;
    },
    staleTime: STALE_MS,
    enabled: isEnabled,
    // Between this message and a later one that was asked for before there is none that matches: it would be known.
    placeholderData: (previous) => (previous && message && previous.id < message.id ? previous : undefined),
  });
  return message ? (data ?? null) : null;
}
