import * as operations from "../../contract/operations/teams.ts";
import type { Role } from "../../contract/records.ts";
import type { Api, CallOptions } from "./http.ts";

export interface NewInvite {
  team_id: number;
  role: Role;
  project_ids?: number[];
  email?: string | null;
}
export const inviteMember = async (api: Api, body: NewInvite, idempotencyKey: string) =>
  (await api.call(operations.inviteMember, { body }, { idempotencyKey })).data;

export const listInvites = async (api: Api, options?: CallOptions) => (await api.call(operations.listInvites, {}, options)).data;

export const revokeInvite = (api: Api, invite_id: number) => api.call(operations.revokeInvite, { params: { invite_id } });

export const previewInvite = async (api: Api, token: string, options?: CallOptions) =>
  (await api.call(operations.previewInvite, { body: { token } }, options)).data;

export const acceptInvite = async (api: Api, body: { token: string; username: string; email: string; password: string }) =>
  (await api.call(operations.acceptInvite, { body })).data;
