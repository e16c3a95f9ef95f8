/** Tries, stores and forgets the connection to another service, and replaces a token that the service refused. */
import { useMutation } from "@tanstack/react-query";
import { getSession } from "../../contract/operations/session.ts";
import { ApiError } from "../api/api-error.ts";
import { allowOrigin, clearChosenConnection, type Connection, getChosenConnection, parseBaseUrl, setChosenConnection } from "../api/connection.ts";
import { discoverService } from "../api/discover-service.ts";
import { createApi } from "../api/http.ts";
import { type Client, useClient } from "../client/client.ts";
import { useStore } from "../lib/store.ts";
import { sessionQueries } from "./session.ts";

export type AddressIssue = "malformed" | "scheme" | "credentials" | "query";

/** Returns why a text is no address of a service, or null. */
export function findAddressIssue(text: string): AddressIssue | null {
  if (!URL.canParse(text.trim())) return "malformed";
  const url = new URL(text.trim());
  if (!/^https?:$/.test(url.protocol)) return "scheme";
  if (url.username || url.password) return "credentials";
  return url.search || url.hash ? "query" : null;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether requests to this address leave the machine unencrypted. */
export function isUnencrypted(text: string): boolean {
  if (findAddressIssue(text)) return false;
  const { protocol, hostname } = new URL(text.trim());
  return protocol === "http:" && !LOOPBACK.test(hostname);
}

/** What is at an address. `token-missing`, `token-refused`: the service requires an account; `no-access`: the token may not read its own account. */
export type Finding =
  | { kind: "talkback"; name: string; version: string; username: string | null }
  | { kind: "documented" | "unreadable" | "unreachable" | "token-missing" | "token-refused" | "no-access" }
  | { kind: "failing"; status: number };

/** Requests what is at an address, and whether the token is valid if the service can tell. */
export async function tryConnection({ baseUrl, token }: Connection): Promise<Finding> {
  try {
    const discovery = await discoverService(baseUrl, token);
    if (discovery.kind !== "described") return { kind: discovery.kind };
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

/** Returns the connection that a text stands for; the page's own origin forwards requests to its upstream, which would not allow requests of pages. */
export function toConnection({ api }: Pick<Client, "api">, address: string, token: string): Connection {
  const typed = parseBaseUrl(address);
  const baseUrl = typed === api.upstream ? "" : typed;
  return token.trim() === "" ? { baseUrl } : { baseUrl, token: token.trim() };
}

export const useTryConnection = () => useMutation({ mutationFn: tryConnection });

/** Stores the connection for this tab or this device, and opens the page with it. */
export function connect(connection: Connection, isOnDevice: boolean, path: string): void {
  setChosenConnection(connection, isOnDevice);
  allowOrigin(connection.baseUrl, isOnDevice);
  location.assign(path);
}

/** Forgets the chosen service and its token, and opens the page with the service that it had before. */
export function disconnect(): void {
  clearChosenConnection();
  location.assign("/");
}

/** The service that the person chose in this browser, if any. */
export const getChosen = getChosenConnection;

/** Returns whether the service refuses the token of this page. */
export const useIsTokenRefused = (): boolean => useStore(useClient().api.isTokenRefused);

/**
 * Replaces the token and stores it where the one before was stored. Everything that failed is requested again. The page of another account is loaded anew;
 * a token that the service refuses changes nothing.
 */
export function useReplaceToken() {
  const client = useClient();
  return useMutation({
    async mutationFn(token: string): Promise<void> {
      const { api, queryClient } = client;
      const before = queryClient.getQueryData(sessionQueries.current().queryKey)?.account.id;
      const session = before === undefined ? null : await createApi({ baseUrl: api.baseUrl, token }).data(getSession, {});
      setChosenConnection({ baseUrl: api.baseUrl, token }, getChosenConnection()?.isOnDevice ?? false);
      if (session && session.account.id !== before) return location.reload();
      api.setToken(token);
    },
    onSuccess() {
      void client.queryClient.invalidateQueries();
      client.live.wake();
      client.outbox.wake();
      client.uploads.wake();
    },
  });
}
