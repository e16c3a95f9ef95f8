import * as operations from "../../contract/operations/session.ts";
import { call, type CallOptions } from "./http.ts";

const PAGE_TIMEOUT_MS = 10_000;

export const getSession = async (options?: CallOptions) => (await call(operations.getSession, {}, options)).data;

export const signIn = async (body: { login: string; password: string }) => (await call(operations.signIn, { body })).data;

export const signOut = () => call(operations.signOut, {});

export const setUp = async (body: { token: string; organisation: string; username: string; email: string; password: string }) =>
  (await call(operations.setUp, { body })).data;

export const resetPassword = async (body: { token: string; password: string }) => (await call(operations.resetPassword, { body })).data;

export const listSessions = async (options?: CallOptions) => (await call(operations.listSessions, {}, options)).data;

export const endSession = (session_id: number) => call(operations.endSession, { params: { session_id } });

export const endAllSessions = () => call(operations.endAllSessions, {});

export const getService = async (options?: CallOptions) => (await call(operations.getService, {}, options)).data;

/** Fetches the HTML currently served at `/`, bypassing every cache; throws if the request fails. */
export async function fetchIndexHtml(): Promise<string> {
  const response = await fetch("/", { cache: "no-store", headers: { accept: "text/html" }, signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The page request failed with status ${response.status}`);
  return response.text();
}
