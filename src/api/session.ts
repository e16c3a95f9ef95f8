import * as operations from "../../contract/operations/session.ts";
import type { Api, CallOptions } from "./http.ts";

const PAGE_TIMEOUT_MS = 10_000;

export const getSession = async (api: Api, options?: CallOptions) => (await api.call(operations.getSession, {}, options)).data;

export const signIn = async (api: Api, body: { login: string; password: string }) => (await api.call(operations.signIn, { body })).data;

export const signOut = (api: Api) => api.call(operations.signOut, {});

export const setUp = async (api: Api, body: { token: string; organisation: string; username: string; email: string; password: string }) =>
  (await api.call(operations.setUp, { body })).data;

export const resetPassword = async (api: Api, body: { token: string; password: string }) => (await api.call(operations.resetPassword, { body })).data;

export const listSessions = async (api: Api, options?: CallOptions) => (await api.call(operations.listSessions, {}, options)).data;

export const endSession = (api: Api, session_id: number) => api.call(operations.endSession, { params: { session_id } });

export const endAllSessions = (api: Api) => api.call(operations.endAllSessions, {});

export const getService = async (api: Api, options?: CallOptions) => (await api.call(operations.getService, {}, options)).data;

/** Fetches the HTML currently served at `/`, bypassing every cache; throws if the request fails. */
export async function fetchIndexHtml(): Promise<string> {
  const response = await fetch("/", { cache: "no-store", headers: { accept: "text/html" }, signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The page request failed with status ${response.status}`);
  return response.text();
}
