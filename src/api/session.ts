import * as operations from "../../contract/operations/session.ts";
import { call, type CallOptions } from "./http.ts";

export const getSession = async (options?: CallOptions) => (await call(operations.getSession, {}, options)).data;

export const signIn = async (body: { login: string; password: string }) => (await call(operations.signIn, { body })).data;

export const signOut = () => call(operations.signOut, {});

export const setUp = async (body: { token: string; organisation: string; username: string; email: string; password: string }) =>
  (await call(operations.setUp, { body })).data;

export const resetPassword = async (body: { token: string; password: string }) => (await call(operations.resetPassword, { body })).data;
