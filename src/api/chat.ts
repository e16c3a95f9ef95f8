/** The operations of `contract/operations/chat.ts`: history, sending, and moving the user's read marker forward. */
import * as operations from "../../contract/operations/chat.ts";
import type { Api, CallOptions } from "./http.ts";

/** Selects a page of a chat, by default its newest messages; `before_id`, `after_id` and `around_id` are mutually exclusive. */
export interface HistoryQuery {
  project_id: number;
  limit?: number;
  before_id?: number;
  after_id?: number;
  around_id?: number;
  include_deleted?: boolean;
}
/** Returns a page of messages, newest last. */
export const chatHistory = (api: Api, body: HistoryQuery, options?: CallOptions) => api.call(operations.chatHistory, { body }, options);

export interface NewMessage {
  project_id: number;
  body: string;
  parent_message_id?: number | null;
  attachment_ids?: number[];
  is_audio_message?: boolean;
  /** Idempotency key, created with the message; the service returns the first result for a repeated key. */
  client_id?: string;
}
export const sendMessage = async (api: Api, body: NewMessage, options?: CallOptions) => (await api.call(operations.sendMessage, { body }, options)).data;

export const moveReadMarker = async (api: Api, project_id: number, message_id: number, options?: CallOptions) =>
  (await api.call(operations.moveReadMarker, { params: { project_id }, body: { message_id } }, options)).data;
