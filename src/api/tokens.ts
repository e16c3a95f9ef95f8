import type { Scope } from "../../contract/define.ts";
import * as operations from "../../contract/operations/accounts.ts";
import { call, type CallOptions } from "./http.ts";

export const listTokens = async (options?: CallOptions) => (await call(operations.listTokens, {}, options)).data;

export const createToken = async (body: { name: string; scopes: Scope[]; expires_at?: string | null }, idempotencyKey: string) =>
  (await call(operations.createToken, { body }, { idempotencyKey })).data;

export const revokeToken = (token_id: number) => call(operations.revokeToken, { params: { token_id } });
