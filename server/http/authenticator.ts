/** Authenticates requests by bearer token or session cookie, weighs them against a budget, and recognizes those of our own page. */
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { IncomingHttpHeaders } from "node:http";
import { ACCOUNT_HEADER } from "../../contract/account-header.ts";
import { getProtectedResourceMetadata } from "../../contract/operations/oauth.ts";
import type { Actor } from "../access/access.ts";
import { HttpError } from "../lib/errors.ts";
import { clientAddress, toNetworkLimits } from "../lib/network.ts";
import type { Peers } from "../events/peers.ts";
import { createSharedBudget } from "./shared-budget.ts";

export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith("https:");

/** Returns the name of the session cookie, which has the prefix `__Host-` if the public URL uses https. */
export const sessionCookieName = (publicUrl: string): string => (isSecure(publicUrl) ? "__Host-talkback" : "talkback");

export function createSessionCookie(publicUrl: string, maxAgeMs: number): SessionCookie {
  const [secure, name] = [isSecure(publicUrl), sessionCookieName(publicUrl)];
  const options: CookieSerializeOptions = { path: "/", httpOnly: true, sameSite: "lax", secure };
  return {
    read: (request) => request.cookies[name],
    set: (reply, token) => void reply.setCookie(name, token, { ...options, maxAge: maxAgeMs / 1_000 }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}

/** Returns `WWW-Authenticate` of a refused request (RFC 6750), which leads a client to the authorization server (RFC 9728, 5.1). */
export const bearerChallenge = (publicUrl: string, parameters: Record<string, string> = {}): string =>
  `Bearer ${Object.entries({ realm: "talkback", ...parameters, resource_metadata: `${publicUrl}${getProtectedResourceMetadata.path}` })
    .map(([name, value]) => `${name}="${value}"`)
    .join(", ")}`;

export interface Authentication {
  bySession(token: string): Promise<Actor | null>;
  byBearer(token: string): Promise<Actor | null>;
}

export interface Authenticator {
  /** Returns the caller, or null if not signed in. Throws a 401 for an invalid token, a 412 if the cookie's account is not the one that the page names. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Actor | null>;
  /** Takes the cost of a request from the budgets of the caller's account and organization, or from the network's where nobody is signed in. Throws a 429 if one does not suffice. */
  limitRate(request: FastifyRequest, reply: FastifyReply, actor: Actor | null, cost?: number): void;
  publicUrl: string;
  /** Ends the exchange of rate limits with other processes. */
  stop(): void;
}

/** A bearer token takes precedence over the cookie, since a request never sends one by accident. */
export function createAuthenticator(
  authentication: Authentication,
  cookie: SessionCookie,
  { publicUrl, maxRequestsPerMinute, peers }: { publicUrl: string; maxRequestsPerMinute: number; peers: Peers },
): Authenticator {
  const createRateLimit = (name: string, maxKeys: number) =>
    createSharedBudget(name, { capacity: maxRequestsPerMinute, perSecond: maxRequestsPerMinute / 60, maxKeys }, peers);
  // Apart from each other, so that strangers with many addresses cannot push an account out.
  const accounts = createRateLimit("accounts", MAX_COUNTED_ACCOUNTS);
  const networks = createRateLimit("networks", MAX_COUNTED_NETWORKS);

  return {
    publicUrl,
    stop() {
      accounts.stop();
      networks.stop();
    },
    async identify(request, reply) {
      const header = request.headers.authorization;
      if (header !== undefined) {
        const [, token] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
        const actor = token ? await authentication.byBearer(token) : null;
        if (actor) return { ...actor, address: clientAddress(request) };
        // Requests with an invalid token count against the address's limit like any unauthenticated request.
        this.limitRate(request, reply, null);
        reply.header("WWW-Authenticate", bearerChallenge(publicUrl, { error: "invalid_token" }));
        throw new HttpError(401, "This token is invalid, expired or revoked.");
      }
      const token = cookie.read(request);
      if (!token) return null;
      const actor = await authentication.bySession(token);
      if (!actor) cookie.clear(reply);
      const expectedAccountId = request.headers[ACCOUNT_HEADER];
      if (actor && expectedAccountId !== undefined && expectedAccountId !== String(actor.accountId))
        throw new HttpError(412, "This browser is now signed in to a different account. Nothing was changed. Reload the page.");
      return actor && { ...actor, address: clientAddress(request) };
    },
    limitRate(request, reply, actor, cost = 1) {
      if (maxRequestsPerMinute === 0) return;
      for (const { key, factor } of toLimitKeys(request, actor)) {
        // A refusal by one takes nothing from the wider ones.
        const seconds = Math.ceil((actor ? accounts : networks).spend(key, cost / factor));
        if (seconds === 0) continue;
        const limit = maxRequestsPerMinute * factor;
        reply.header("RateLimit-Limit", String(limit));
        const owner = actor && factor > 1 ? " of your organization" : "";
        const note = cost > 1 ? ` This request counts as ${cost}.` : "";
        throw new HttpError(429, `Rate limit of ${limit} requests per minute${owner} exceeded.${note} Try again in ${seconds} s.`, { retryAfter: seconds });
      }
    },
  };
}

/** Beyond these numbers the budgets that were used longest ago start anew. Each takes about 100 bytes. */
const MAX_COUNTED_ACCOUNTS = 100_000;
const MAX_COUNTED_NETWORKS = 100_000;

/** An organization may use as much as this many of its accounts, because an owner makes as many accounts as they like. */
const ACCOUNTS_PER_ORGANIZATION = 20;

/** Returns the keys that a request counts for, from narrow to wide, each with how many times the limit of the narrowest one it has. */
export function toLimitKeys(request: FastifyRequest, actor: Pick<Actor, "accountId" | "organisationId"> | null): { key: string; factor: number }[] {
  if (!actor) return toNetworkLimits(clientAddress(request), 1).map(({ network, limit }) => ({ key: network, factor: limit }));
  return [
    { key: `account ${actor.accountId}`, factor: 1 },
    { key: `organization ${actor.organisationId}`, factor: ACCOUNTS_PER_ORGANIZATION },
  ];
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

function isOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === publicUrl) return true;
  // Accepts every loopback name of this machine; a foreign name that resolves here (DNS rebinding) is not one.
  return origin !== undefined && host !== undefined && LOOPBACK.test(host) && origin === `http://${host}` && publicUrl.startsWith("http:");
}

/** For writes authorized by a cookie: only our own page may send them. Uses `Sec-Fetch-Site`, or `Origin` if that header is missing. */
export function isSameOriginRequest(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined ? isOwnOrigin(headers, publicUrl) : site === "same-origin";
}

/** For writes without authorization, such as signing in: allows programs, but not pages of other sites. */
export function isNotCrossSiteRequest(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers["sec-fetch-site"] === undefined && headers.origin === undefined) return true;
  return isSameOriginRequest(headers, publicUrl);
}

/** WebSocket requests do not carry `Sec-Fetch-Site` in every browser, but always carry `Origin`. */
export const isSameOriginSocket = (headers: IncomingHttpHeaders, publicUrl: string): boolean => isOwnOrigin(headers, publicUrl);
