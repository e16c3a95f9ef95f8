import * as operations from "../../contract/operations/accounts.ts";
import type { Member, Role } from "../../contract/records.ts";
import { call, type CallOptions } from "./http.ts";
import { fetchAllPages } from "./pages.ts";

export const listMembers = (options?: CallOptions): Promise<Member[]> =>
  fetchAllPages((cursor) => call(operations.listMembers, { query: { cursor, limit: 200 } }, options));

export const updateMember = async (account_id: number, body: { role?: Role; disabled?: boolean }) =>
  (await call(operations.updateMember, { params: { account_id }, body })).data;

export const createPasswordReset = async (account_id: number) => (await call(operations.createPasswordReset, { params: { account_id } })).data;
