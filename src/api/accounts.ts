import type { Scope } from "../../contract/define-operation.ts";
import * as operations from "../../contract/operations/accounts.ts";
import type { Member, Role } from "../../contract/records.ts";
import type { Api, CallOptions } from "./http.ts";
import { fetchAllPages } from "./pages.ts";

export const updateAccount = async (api: Api, body: { username?: string; email?: string; user_info?: string }) =>
  (await api.call(operations.updateAccount, { body })).data;

export const changePassword = (api: Api, body: { current_password: string; new_password: string }) => api.call(operations.changePassword, { body });

export const listMembers = (api: Api, options?: CallOptions): Promise<Member[]> =>
  fetchAllPages((cursor) => api.call(operations.listMembers, { query: { cursor, limit: 200 } }, options));

export const updateMember = async (api: Api, account_id: number, body: { role?: Role; disabled?: boolean }) =>
  (await api.call(operations.updateMember, { params: { account_id }, body })).data;

/** Creates a link with which a person chooses a new password; the link works once, for 24 hours. */
export const createPasswordReset = async (api: Api, account_id: number) => (await api.call(operations.createPasswordReset, { params: { account_id } })).data;

export const listTokens = async (api: Api, options?: CallOptions) => (await api.call(operations.listTokens, {}, options)).data;

export const createToken = async (api: Api, body: { name: string; scopes: Scope[]; expires_at?: string | null }, idempotencyKey: string) =>
  (await api.call(operations.createToken, { body }, { idempotencyKey })).data;

export const revokeToken = (api: Api, token_id: number) => api.call(operations.revokeToken, { params: { token_id } });
