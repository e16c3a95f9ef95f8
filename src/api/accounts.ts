import type { Scope } from "../../contract/define-operation.ts";
import * as operations from "../../contract/operations/accounts.ts";
import type { Member, Role } from "../../contract/records.ts";
import { call, type CallOptions } from "./http.ts";
import { fetchAllPages } from "./pages.ts";

export const updateAccount = async (body: { username?: string; email?: string; user_info?: string }) => (await call(operations.updateAccount, { body })).data;

export const changePassword = (body: { current_password: string; new_password: string }) => call(operations.changePassword, { body });

export const listMembers = (options?: CallOptions): Promise<Member[]> =>
  fetchAllPages((cursor) => call(operations.listMembers, { query: { cursor, limit: 200 } }, options));

export const updateMember = async (account_id: number, body: { role?: Role; disabled?: boolean }) =>
  (await call(operations.updateMember, { params: { account_id }, body })).data;

/** Creates a link with which a person chooses a new password; the link works once, for 24 hours. */
export const createPasswordReset = async (account_id: number) => (await call(operations.createPasswordReset, { params: { account_id } })).data;

export const listTokens = async (options?: CallOptions) => (await call(operations.listTokens, {}, options)).data;

export const createToken = async (body: { name: string; scopes: Scope[]; expires_at?: string | null }, idempotencyKey: string) =>
  (await call(operations.createToken, { body }, { idempotencyKey })).data;

export const revokeToken = (token_id: number) => call(operations.revokeToken, { params: { token_id } });
