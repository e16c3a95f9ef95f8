import * as files from "../../contract/operations/files.ts";
import { listFileStatuses as listOperation } from "../../contract/operations/teams.ts";
import { call, type CallInput, type CallOptions } from "./http.ts";

/** A team's statuses, in their order. */
export const listFileStatuses = async (team_id: number, options?: CallOptions) => (await call(listOperation, { body: { team_id } }, options)).data;

export const setFileStatus = async (body: CallInput<typeof files.setFileStatus>["body"], options?: CallOptions) =>
  (await call(files.setFileStatus, { body }, options)).data;

/** Who set which status when, newest first. */
export const statusHistory = (file_id: number, query: CallInput<typeof files.statusHistory>["query"], options?: CallOptions) =>
  call(files.statusHistory, { params: { file_id }, query }, options);
