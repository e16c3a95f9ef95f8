import { setFileStatus as setOperation } from "../../contract/operations/files.ts";
import { listFileStatuses as listOperation } from "../../contract/operations/teams.ts";
import { call, type CallOptions } from "./http.ts";

/** A team's statuses, in their order. */
export const listFileStatuses = async (team_id: number, options?: CallOptions) => (await call(listOperation, { body: { team_id } }, options)).data;

export const setFileStatus = async (file_id: number, status_id: number) => (await call(setOperation, { body: { file_id, status_id } })).data;
