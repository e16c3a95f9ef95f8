/** Authenticates requests and limits their rate. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ACCOUNT_HEADER } from "../../contract/account-header.ts";
import type { Actor } from "../access/access.ts";
import { HttpError } from "../lib/errors.ts";
import { networkOf } from "../lib/network.ts";
import type { Authenticator } from "./route.ts";
import type { SessionCookie } from "./session-cookie.ts";

export interface Authentication {
  bySession(token: string): Promise<Actor | null>;
  byBearer(token: string): Promise<Actor | null>;
}

/** A bearer token takes precedence over the cookie, since a request never sends one by accident. */
export function createAuthenticator(
  app: FastifyInstance,
  authentication: Authentication,
  cookie: SessionCookie,
  options: { publicUrl: string; ratePerMinute: number; checkResponses: boolean },
): Authenticator {
  const limiter = options.ratePerMinute > 0 ? app.createRateLimit({ max: options.ratePerMinute, timeWindow: "1 minute", keyGenerator: rateLimitKey }) : null;

  return {
    publicUrl: options.publicUrl,
    checkResponses: options.checkResponses,
    async identify(request, reply) {
      const header = request.headers.authorization;
      if (header !== undefined) {
        const [, token] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
        const actor = token ? await authentication.byBearer(token) : null;
        if (actor) return actor;
        // Requests with an invalid token count against the address's limit like any unauthenticated request.
        await this.limitRate(request, reply, null);
        reply.header("WWW-Authenticate", 'Bearer realm="talkback", error="invalid_token"');
        throw new HttpError(401, "This token is invalid, expired or revoked.");
      }
      const token = cookie.read(request);
      if (!token) return null;
      const actor = await authentication.bySession(token);
      if (!actor) cookie.clear(reply);
      const expectedAccountId = request.headers[ACCOUNT_HEADER];
      if (actor && expectedAccountId !== undefined && expectedAccountId !== String(actor.accountId))
        throw new HttpError(412, "This browser is now signed in to a different account. Nothing was changed. Reload the page.");
      return actor;
    },
    async limitRate(request: FastifyRequest, reply: FastifyReply, actor) {
      if (!limiter) return;
      rateLimitKeys.set(request, actor ? `account ${actor.accountId}` : `address ${networkOf(request.ip)}`);
      const state = await limiter(request);
      if (state.isAllowed || !state.isExceeded) return;
      reply.header("RateLimit-Limit", String(state.max));
      throw new HttpError(429, `More than ${state.max} requests in a minute. Try again in ${state.ttlInSeconds} s.`, { retryAfter: state.ttlInSeconds });
    },
  };
}

const rateLimitKeys = new WeakMap<FastifyRequest, string>();
const rateLimitKey = (request: FastifyRequest): string => rateLimitKeys.get(request) ?? request.ip;
