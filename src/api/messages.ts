/**
 * The operations of `contract/operations/messages.ts`: changes of a message, the first message since a time, search, the read markers of others, and
 * marking as unread.
 */
import * as operations from "../../contract/operations/messages.ts";
import type { Api, CallOptions } from "./http.ts";

interface MessageParams {
  project_id: number;
  message_id: number;
}

export const editMessage = async (api: Api, params: MessageParams, body: string) => (await api.call(operations.editMessage, { params, body: { body } })).data;

export const deleteMessage = async (api: Api, params: MessageParams) => (await api.call(operations.deleteMessage, { params })).data;

export const restoreMessage = async (api: Api, params: MessageParams) => (await api.call(operations.restoreMessage, { params })).data;

export const addReaction = async (api: Api, params: MessageParams & { emoji: string }) => (await api.call(operations.addReaction, { params })).data;

export const removeReaction = async (api: Api, params: MessageParams & { emoji: string }) => (await api.call(operations.removeReaction, { params })).data;

/** Returns the first message at or after `since` (ISO 8601). */
export const findFirstMessage = async (api: Api, project_id: number, since: string) =>
  (await api.call(operations.findFirstMessage, { params: { project_id }, query: { since } })).data;

/** Returns how far the other accounts have read the project's chat. */
export const listReaders = async (api: Api, project_id: number, options?: CallOptions) =>
  (await api.call(operations.listReaders, { params: { project_id } }, options)).data;

/** Marks the project's chat as unread from this message on. Returns the user's moved read marker. */
export const markUnread = async (api: Api, { project_id, message_id }: MessageParams) =>
  (await api.call(operations.markUnread, { params: { project_id }, body: { message_id } })).data;

export interface MessageSearchQuery {
  q?: string;
  account_id?: number;
  /** ISO 8601 bounds: sent at or after `since` and before `until`. */
  since?: string;
  until?: string;
  has?: "link" | "file";
}
/** Returns matching messages, newest first. */
export const searchMessages = (
  api: Api,
  project_id: number,
  { account_id, ...filters }: MessageSearchQuery,
  page: { cursor: string | undefined; limit: number },
  options?: CallOptions,
) =>
  api.call(
    operations.searchMessages,
    {
      params: { project_id },
      query: {
        ...filters,
        ...(account_id === undefined ? {} : { account_id: String(account_id) }),
        ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
        limit: String(page.limit),
      },
    },
    options,
  );
