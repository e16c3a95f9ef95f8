import * as operations from "../../contract/operations/accounts.ts";
import { call } from "./http.ts";

export const updateAccount = async (body: { username?: string; email?: string; user_info?: string }) => (await call(operations.updateAccount, { body })).data;

export const changePassword = (body: { current_password: string; new_password: string }) => call(operations.changePassword, { body });
