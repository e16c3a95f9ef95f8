import * as operations from "../../contract/operations/teams.ts";
import { call, type CallOptions } from "./http.ts";

export const listGroups = async (team_id: number, options?: CallOptions) => (await call(operations.listGroups, { body: { team_id } }, options)).data;

export const createGroup = async (body: { name: string; team_id: number; description?: string }, idempotencyKey: string) =>
  (await call(operations.createGroup, { body }, { idempotencyKey })).data;
