import * as operations from "../../contract/operations/teams.ts";
import type { Role } from "../../contract/records.ts";
import { call, type CallOptions } from "./http.ts";

export interface NewInvite {
  team_id: number;
  role: Role;
  project_ids?: number[];
  email?: string | null;
}
export const inviteMember = async (body: NewInvite, idempotencyKey: string) => (await call(operations.inviteMember, { body }, { idempotencyKey })).data;

export const listInvites = async (options?: CallOptions) => (await call(operations.listInvites, {}, options)).data;

export const revokeInvite = (invite_id: number) => call(operations.revokeInvite, { params: { invite_id } });

export const previewInvite = async (token: string, options?: CallOptions) => (await call(operations.previewInvite, { body: { token } }, options)).data;

export const acceptInvite = async (body: { token: string; username: string; email: string; password: string }) =>
  (await call(operations.acceptInvite, { body })).data;
