import { listTeams as operation } from "../../contract/operations/teams.ts";
import { call, type CallOptions } from "./http.ts";

export const listTeams = async (options?: CallOptions) => (await call(operation, { body: {} }, options)).data;
