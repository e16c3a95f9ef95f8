/** Tries, stores and forgets the connection to another service, and replaces a token that the service refused. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { getSession } from "../../contract/operations/session.ts";
import { ApiError } from "../api/api-error.ts";
import { isServiceOrigin } from "../../contract/service-origins.ts";
import { isUnencryptedUrl, LOOPBACK } from "../../contract/base-url.ts";
import {
  allowOrigin,
  clearChosenConnection,
  type Connection,
  getChosenConnection,
  loadUpstream,
  parseBaseUrl,
  setChosenConnection,
} from "../api/connection.ts";
import { type Discovery, discoverService, probeDocumented } from "../api/discover-service.ts";
import { createApi } from "../api/http.ts";
import { useClient } from "../client/client.ts";
import { useStore } from "../lib/store.ts";
import { sessionQueries } from "./session.ts";

export type AddressIssue = "malformed" | "scheme" | "credentials" | "query" | "host";

/** Returns an address with its scheme; without one it means https, or http on this machine. */
export function completeAddress(text: string): string {
  const address = text.trim();
  if (address === "" || /^[a-z][a-z0-9+.-]*:\/|^(mailto|javascript|data|blob):/i.test(address)) return address;
  return `${LOOPBACK.test(address.split(/[:/]/, 1)[0]!) ? "http" : "https"}://${address}`;
}

/** Returns why a text is no address of a service, or null. */
export function findAddressIssue(text: string): AddressIssue | null {
  const address = completeAddress(text);
  if (!URL.canParse(address)) return "malformed";
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return "scheme";
  if (url.username || url.password) return "credentials";
  if (url.search || url.hash) return "query";
  if (!/[.:]/.test(text.trim().replace(/^https?:\/\//i, "")) && !LOOPBACK.test(url.hostname)) return "malformed";
  // A content security policy has no form for IPv6 addresses and for names with other characters.
  return url.origin === location.origin || isServiceOrigin(url.origin) ? null : "host";
}

/** Returns whether a token can be sent in a header. */
export const isValidToken = (token: string): boolean => /^[\x21-\x7e]*$/.test(token.trim());

/** Returns whether requests to the service at this address leave the machine unencrypted. */
export const isUnencrypted = (text: string): boolean => findAddressIssue(text) === null && isUnencryptedUrl(completeAddress(text));

/** What is at an address. `possible`: a server whose response fits the service document, but also many others; `unknown`: one without sign of this API; `token-missing`, `token-refused`: the service requires an account; `no-access`: the token may not read its own account. */
export type Finding =
  | { kind: "talkback"; name: string; version: string; username: string | null }
  | { kind: "documented" | "possible" | "unreadable" | "unreachable" | "unknown" | "token-missing" | "token-refused" | "no-access" }
  | { kind: "failing"; status: number };

/** Requests what is at an address, and whether the token is valid if the service shows it. */
export async function tryConnection({ baseUrl, token }: Connection): Promise<Finding> {
  try {
    const discovery = await discoverService(baseUrl, token).catch(failedDiscovery);
    if (discovery.kind !== "described") return await tryDocumented({ baseUrl, token }, discovery.kind);
    const { name, version } = discovery.service;
    const api = createApi({ baseUrl, token });
    if (api.usesSession) return { kind: "talkback", name, version, username: null };
    if (!token) return { kind: "token-missing" };
    const { account } = await api.data(getSession, {});
    return { kind: "talkback", name, version, username: account.username };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return { kind: "token-refused" };
    if (error.status === 403) return { kind: "no-access" };
    return error.status === 0 ? { kind: "unreachable" } : { kind: "failing", status: error.status };
  }
}

/** A service of the service document may fail for a path that it does not have. */
function failedDiscovery(error: unknown): Discovery {
  if (error instanceof ApiError && (error.status >= 500 || error.kind === "timeout")) return { kind: "documented" };
  throw error;
}

async function tryDocumented({ baseUrl, token }: Connection, kind: "documented" | "unreadable"): Promise<Finding> {
  const result = await probeDocumented(baseUrl, token).catch((error: unknown) => {
    if (kind === "unreadable" && error instanceof ApiError) return "unreadable" as const;
    throw error;
  });
  if (result === "refused") return { kind: token ? "token-refused" : "token-missing" };
  return { kind: result === "offered" ? "documented" : result };
}

/**
 * Returns the connection that a text stands for; the page's own origin forwards requests to its upstream, which would not allow requests of pages. Without a
 * new token, the same service keeps its current one.
 */
export async function toConnection(address: string, token: string): Promise<Connection> {
  const upstream = await loadUpstream();
  const typed = parseBaseUrl(completeAddress(address));
  const baseUrl = typed === upstream ? "" : typed;
  const connection = { baseUrl, ...(baseUrl === "" && upstream ? { upstream } : {}) };
  const chosen = getChosenConnection();
  const currentToken = chosen?.baseUrl === baseUrl && (chosen.upstream ?? "") === (connection.upstream ?? "") ? chosen.token : undefined;
  const sent = token.trim() || currentToken;
  return sent ? { ...connection, token: sent } : connection;
}

export interface Attempt {
  connection: Connection;
  finding: Finding;
}

export const useTryConnection = () =>
  useMutation({
    async mutationFn({ address, token }: { address: string; token: string }): Promise<Attempt> {
      const connection = await toConnection(address, token);
      return { connection, finding: await tryConnection(connection) };
    },
  });

/** Stores the connection for this tab or this device, and opens the page with it. Returns false if the browser stores nothing there. */
export function connect(connection: Connection, isOnDevice: boolean, path: string): boolean {
  if (!setChosenConnection(connection, isOnDevice)) return false;
  allowOrigin(connection.baseUrl, isOnDevice);
  location.assign(path);
  return true;
}

/** Forgets the chosen service and its token, and opens the page with the service that follows. */
export function disconnect(): void {
  clearChosenConnection();
  location.assign("/");
}

/** Returns the choice in effect when the page was loaded. */
export const useChosen = () => useState(getChosenConnection)[0];

/** Returns whether the service refuses the token of this page. */
export const useIsTokenRefused = (): boolean => useStore(useClient().api.isTokenRefused);

/**
 * Replaces the token and stores it where the one before was stored; resolves to false if the browser does not store it. Everything that failed is requested
 * again. The page of another account is loaded anew; a token that the service refuses changes nothing.
 */
export function useReplaceToken() {
  const client = useClient();
  return useMutation({
    async mutationFn(token: string): Promise<boolean> {
      const { api, queryClient } = client;
      const before = queryClient.getQueryData(sessionQueries.current().queryKey)?.account.id;
      const session = before === undefined ? null : await createApi({ baseUrl: api.baseUrl, token }).data(getSession, {});
      const connection = { baseUrl: api.baseUrl, token, ...(api.upstream ? { upstream: api.upstream } : {}) };
      const isStored = setChosenConnection(connection, getChosenConnection()?.isOnDevice ?? false);
      if (session && session.account.id !== before) location.reload();
      else api.setToken(token);
      return isStored;
    },
    onSuccess() {
      void client.queryClient.invalidateQueries();
      client.live.wake();
      client.outbox.wake();
      client.uploads.wake();
    },
  });
}
