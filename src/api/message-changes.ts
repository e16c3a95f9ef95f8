import * as operations from "../../contract/operations/messages.ts";
import { call, type CallOptions } from "./http.ts";

interface Place {
  project_id: number;
  message_id: number;
}

export const editMessage = async (params: Place, body: string) => (await call(operations.editMessage, { params, body: { body } })).data;

export const deleteMessage = async (params: Place) => (await call(operations.deleteMessage, { params })).data;

export const restoreMessage = async (params: Place) => (await call(operations.restoreMessage, { params })).data;

export const addReaction = async (params: Place & { emoji: string }) => (await call(operations.addReaction, { params })).data;

export const removeReaction = async (params: Place & { emoji: string }) => (await call(operations.removeReaction, { params })).data;

/** The first message at or after a moment (ISO 8601). */
export const firstMessage = async (project_id: number, since: string) =>
  (await call(operations.firstMessage, { params: { project_id }, query: { since } })).data;

export const listReaders = async (project_id: number, options?: CallOptions) => (await call(operations.listReaders, { params: { project_id } }, options)).data;

export const markUnread = async ({ project_id, message_id }: Place) =>
  (await call(operations.markUnread, { params: { project_id }, body: { message_id } })).data;
