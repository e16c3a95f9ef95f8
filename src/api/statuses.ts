import type { ResponseOf } from "../../contract/define-operation.ts";
import * as files from "../../contract/operations/files.ts";
import * as operations from "../../contract/operations/statuses.ts";
import { listFileStatuses as listOperation } from "../../contract/operations/teams.ts";
import type { FileStatus } from "../../contract/records.ts";
import type { Api, CallInput, CallOptions } from "./http.ts";

type StatusList = ResponseOf<typeof listOperation>;
export interface TeamStatuses {
  /** In the team's order. */
  statuses: FileStatus[];
  /** Status of new uploads; null if there is none or the service does not return it. */
  defaultId: number | null;
}
const toTeamStatuses = ({ data, default_status_id }: StatusList): TeamStatuses => ({ statuses: data, defaultId: default_status_id ?? null });

export const listFileStatuses = async (api: Api, team_id: number, options?: CallOptions) =>
  toTeamStatuses(await api.call(listOperation, { body: { team_id } }, options));

export const createFileStatus = async (api: Api, team_id: number, body: CallInput<typeof operations.createFileStatus>["body"], options?: CallOptions) =>
  (await api.call(operations.createFileStatus, { params: { team_id }, body }, options)).data;

export const updateFileStatus = async (api: Api, status_id: number, body: CallInput<typeof operations.updateFileStatus>["body"]) =>
  (await api.call(operations.updateFileStatus, { params: { status_id }, body })).data;

export const orderFileStatuses = async (api: Api, team_id: number, ids: number[]) =>
  toTeamStatuses(await api.call(operations.orderFileStatuses, { params: { team_id }, body: { ids } }));

export const deleteFileStatus = async (api: Api, status_id: number, replacement_id: number | undefined) =>
  toTeamStatuses(await api.call(operations.deleteFileStatus, { params: { status_id }, query: { replacement_id } }));

/** Returns the number of files with the status. */
export const getFileStatusUsage = async (api: Api, status_id: number, options?: CallOptions) =>
  (await api.call(operations.getFileStatusUsage, { params: { status_id } }, options)).data.file_count;

export const setDefaultFileStatus = async (api: Api, team_id: number, status_id: number | null) =>
  toTeamStatuses(await api.call(operations.setDefaultFileStatus, { params: { team_id }, body: { status_id } }));

export const setFileStatus = async (api: Api, body: CallInput<typeof files.setFileStatus>["body"], options?: CallOptions) =>
  (await api.call(files.setFileStatus, { body }, options)).data;

/** Returns a file's status changes with author and time, newest first. */
export const listStatusChanges = (api: Api, file_id: number, query: CallInput<typeof files.listStatusChanges>["query"], options?: CallOptions) =>
  api.call(files.listStatusChanges, { params: { file_id }, query }, options);
