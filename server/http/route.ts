/** Turns an API operation into a route: authentication, scope, validation, handler, response. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { sendsItsResponse, type ResponseOf, type ValidatedInput, type Operation } from "../../contract/define-operation.ts";
import { operations } from "../../contract/operations/all.ts";
import { RULES } from "../../contract/policy.ts";
import type { Actor } from "../access/access.ts";
import type { IdempotencyKey } from "../access/idempotency.ts";
import { runForCaller } from "../lib/current-caller.ts";
import { HttpError, forbidden, invalid, type InputIssue } from "../lib/errors.ts";
import { bearerChallenge, isNotCrossSiteRequest, isSameOriginRequest, toLimitKeys, type Authenticator } from "./authenticator.ts";
import { assertReadableEncoding, isStream } from "./body.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { sendPreflight } from "./cors.ts";
import { failureStatuses } from "./failure-statuses.ts";
import { JsonText } from "./responses.ts";
import { rejectUnknownRoute } from "./unknown-routes.ts";

export interface HandlerContext<O extends Operation> extends ValidatedInput<O> {
  /** The caller; null on open operations. */
  actor: O["rule"] extends "open" ? null : Actor;
  /** The `Idempotency-Key` header, if the operation supports it. */
  idempotencyKey: IdempotencyKey | null;
  request: FastifyRequest;
  reply: FastifyReply;
}
export type Handler<O extends Operation> = (context: HandlerContext<O>) => Promise<ResponseOf<O> | JsonText>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation that the route implements. */
    operation?: Operation;
    /** What a request to a route without an operation takes from the caller's budget. */
    cost?: number;
  }
}

export const operationOf = (request: FastifyRequest): Operation | undefined => request.routeOptions.config.operation;

/** Routes without an operation: the live channel identifies its callers and authorizes each topic itself. */
const UNLISTED_ROUTES = new Set(["/api/v2/live"]);
/** Of the web client's pages and files, of which one visit loads dozens. */
const FILE_COST = 0.05;
/** Requests of one account, or of one network where nobody is signed in, whose JSON is being made or read. It is in memory until it is read. */
const BUFFERED_LIMITS = { maxRunning: 6, maxQueued: 200 };
/** The same for uploads, downloads and media, which are in memory only by pieces: a paused player keeps its connection. */
export const STREAMS_PER_CALLER = 60;
/** How long a caller counts as identified. */
const MAX_IDENTIFIED_MS = 1_000;
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,128}$/;

const MAX_ISSUES = 20;

/** Validates all parts of a request, so that the caller learns of all issues at once. Throws a 400. */
function parseRequest({ params, query, body }: Operation, request: FastifyRequest): { params: unknown; query: unknown; body: unknown } {
  const issues: InputIssue[] = [];
  const parse = (schema: z.ZodMiniType | undefined, value: unknown, location: string): unknown => {
    const result = schema && z.safeParse(schema, value);
    if (result?.error)
      issues.push(...result.error.issues.map((issue) => ({ path: issue.path.join(".") || location, message: stripIssuePrefix(issue.message) })));
    return result?.data;
  };
  const validated = { params: parse(params, request.params, "path"), query: parse(query, request.query, "query"), body: parse(body, request.body, "body") };
  const [first] = issues;
  if (first) throw new HttpError(400, `${first.path}: ${first.message}`, { errors: issues.slice(0, MAX_ISSUES) });
  return validated;
}

/** Throws a 400 for percent escapes that are not UTF-8, which would otherwise be read as the text that they are. */
function assertDecodable({ raw }: FastifyRequest): void {
  const query = raw.url?.split("?").slice(1).join("?") ?? "";
  try {
    decodeURIComponent(query);
  } catch {
    throw new HttpError(400, "The query has a % that does not begin a valid UTF-8 escape, such as %C3%A9. Write a percent sign as %25.");
  }
}

/** Removes the prefix from zod messages such as "Invalid input: expected int, received string". */
const stripIssuePrefix = (message: string): string => message.replace(/^(Invalid input|Invalid option|Too small|Too big|Invalid string): /, "");

/** Uses the request as validated, so that unknown members do not make it a different request and its nesting is bounded. */
function readIdempotencyKey(operation: Operation, request: FastifyRequest, validated: unknown): IdempotencyKey | null {
  const key = request.headers["idempotency-key"];
  if (!operation.idempotent || key === undefined) return null;
  if (typeof key !== "string" || !IDEMPOTENCY_KEY_PATTERN.test(key)) throw invalid("Idempotency-Key", "must be 1 to 128 visible ASCII characters");
  return { operation: `${operation.method} ${operation.path}`, key, request: validated };
}

/** Only the first request of a resumable upload creates something. */
const costOf = ({ bytes, method, cost }: Operation, request: FastifyRequest): number | undefined => (bytes === "tus" && request.method !== method ? 1 : cost);

function assertScope(operation: Operation, actor: Actor, reply: FastifyReply, publicUrl: string): void {
  if (actor.scopes === null) return;
  if (operation.scope === "session") throw forbidden("An API token cannot do this. Sign in with a browser.");
  const scopes = operation.scope === null ? [] : [operation.scope, ...(operation.furtherScopes ?? [])];
  const missing = scopes.filter((scope) => !actor.scopes?.includes(scope));
  if (missing.length > 0) {
    reply.header("WWW-Authenticate", bearerChallenge(publicUrl, { error: "insufficient_scope", scope: scopes.join(" ") }));
    throw forbidden(`This token lacks the scope${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}.`);
  }
}

/**
 * Returns the caller of a request to an operation; null on open operations. Identifies the caller once more if the request was queued or its body took long,
 * because the authorization may have ended or changed meanwhile; throws a 401 or 403 then.
 */
export type AuthorizedCaller = (request: FastifyRequest, reply: FastifyReply) => Promise<Actor | null>;
export type Route = <O extends Operation>(operation: O, handler: Handler<O>) => void;

interface RouterOptions {
  /** Uploads, downloads and media of one account, or of one network that is not signed in, that run at a time. As many more are queued. */
  streamsPerCaller?: number;
  /** Validates every response against its schema. For tests, where a mismatch is a failure. */
  checkResponses?: boolean | undefined;
}

/** Registers routes. `assertComplete` throws if any operation has no route. */
export function createRouter(
  app: FastifyInstance,
  authenticator: Authenticator,
  { streamsPerCaller = STREAMS_PER_CALLER, checkResponses = false }: RouterOptions = {},
): { route: Route; authorizedCaller: AuthorizedCaller; assertComplete(): void } {
  const routedOperations = new Set<Operation>();

  const callers = new WeakMap<FastifyRequest, { actor: Actor | null; identifiedAt: number }>();

  function assertSignedIn(actor: Actor | null, reply: FastifyReply): void {
    if (actor) return;
    reply.header("WWW-Authenticate", bearerChallenge(authenticator.publicUrl));
    throw new HttpError(401, "Sign in, or send an API token as Authorization: Bearer <token>.");
  }

  function assertTrustedOrigin({ rule, anyOrigin }: Operation, actor: Actor | null, { method, headers }: FastifyRequest): void {
    if (SAFE_METHODS.has(method)) return;
    if (anyOrigin) return;
    const isTrusted =
      rule === "open"
        ? isNotCrossSiteRequest(headers, authenticator.publicUrl)
        : actor?.sessionId === null || isSameOriginRequest(headers, authenticator.publicUrl);
    if (isTrusted) return;
    throw forbidden(
      `This request did not come from Talkback's own page. Open Talkback at ${authenticator.publicUrl}, or set PUBLIC_URL to the address you use.`,
    );
  }

  const buffered = createConcurrencyLimit(BUFFERED_LIMITS);
  const streamed = createConcurrencyLimit({ maxRunning: streamsPerCaller, maxQueued: streamsPerCaller });
  /** Waits until the request may run for its account and organization, or its networks. Returns whether it had to wait. */
  async function awaitSlot({ bytes, waits }: Operation, actor: Actor | null, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { raw } = reply;
    const limit = bytes || waits ? streamed : buffered;
    const releases: (() => void)[] = [];
    const end = (): void => releases.forEach((release) => release());
    raw.once("finish", end).once("close", end);
    let hasWaited = false;
    for (const { key, factor } of toLimitKeys(request, actor)) {
      if (raw.destroyed) throw new HttpError(400, "The connection closed before the request was handled.");
      const { isQueued, started } = limit.acquire(key, (release) => void releases.push(release), factor);
      if (!isQueued) continue;
      hasWaited = true;
      await withoutIdleTimeout(request, reply, app.server.timeout, started);
    }
    return hasWaited;
  }

  /** The network has a budget of its own for files and unknown paths. Where strangers have used it up, the account of who is signed in pays. */
  async function limitWithoutOperation(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const cost = request.routeOptions.config.cost ?? FILE_COST;
    try {
      authenticator.limitRate(request, reply, null, cost);
    } catch (error) {
      const actor = await authenticator.identify(request, reply).catch(() => null);
      if (!actor) throw error;
      app.countForAccount(request, actor);
      authenticator.limitRate(request, reply, actor, cost);
    }
    if (sendPreflight(app, request, reply)) return reply;
    rejectUnknownRoute(app, request);
    return undefined;
  }

  // All checks that need no body come before any of it is read: authentication, rate limit, same origin, scope.
  app.addHook("onRequest", async (request, reply) => {
    const operation = operationOf(request);
    app.countForNetwork(request, reply);
    if (UNLISTED_ROUTES.has(request.routeOptions.url ?? "")) return;
    if (!operation) return limitWithoutOperation(request, reply);
    const isOpen = operation.rule === "open";
    const actor = isOpen ? null : await authenticator.identify(request, reply);
    if (actor) app.countForAccount(request, actor);
    authenticator.limitRate(request, reply, actor, costOf(operation, request));
    if (!isOpen) assertSignedIn(actor, reply);
    assertTrustedOrigin(operation, actor, request);
    if (actor) assertScope(operation, actor, reply, authenticator.publicUrl);
    assertDecodable(request);
    if (!SAFE_METHODS.has(request.method)) assertReadableEncoding(request);
    const wasQueued = actor !== null && (await awaitSlot(operation, actor, request, reply));
    callers.set(request, { actor, identifiedAt: wasQueued ? Number.NEGATIVE_INFINITY : performance.now() });
  });

  const authorizedCaller: AuthorizedCaller = async (request, reply) => {
    const operation = operationOf(request);
    const caller = callers.get(request);
    if (!operation || !caller) throw new Error(`${request.method} ${request.routeOptions.url ?? ""} was not authorized`);
    if (!caller.actor || performance.now() - caller.identifiedAt < MAX_IDENTIFIED_MS) return caller.actor;
    const actor = await authenticator.identify(request, reply);
    assertSignedIn(actor, reply);
    if (actor) assertScope(operation, actor, reply, authenticator.publicUrl);
    callers.set(request, { actor, identifiedAt: performance.now() });
    return actor;
  };

  const route: Route = (operation, handler) => {
    assertOperationComplete(operation);
    routedOperations.add(operation);
    app.route({
      config: { operation },
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      async handler(request, reply) {
        // A caller who is not signed in takes a slot after the body has arrived, so that a slow one does not block the others of its network.
        if (operation.rule === "open") await awaitSlot(operation, null, request, reply);
        const actor = await authorizedCaller(request, reply);
        assertBodyKind(operation, request);
        const validated = parseRequest(operation, request);
        const context = { ...validated, actor, idempotencyKey: readIdempotencyKey(operation, request, validated), request, reply } as unknown as HandlerContext<
          typeof operation
        >;
        const response = await (actor ? runForCaller(actor, () => handler(context)) : handler(context));
        // A handler that never checked its access rule would be a security hole, so the request fails.
        if (actor && !actor.checkedRules.has(operation.rule))
          throw new Error(`${operation.method} ${operation.path} responded without checking its rule "${operation.rule}"`);
        // The handler has sent the bytes or the redirect.
        if (sendsItsResponse(operation)) return reply;
        if (!operation.response) return reply.code(204).send();
        if (checkResponses) z.parse(operation.response, response instanceof JsonText ? JSON.parse(response.body.toString()) : response);
        return reply
          .header("Cache-Control", "no-store")
          .type("application/json; charset=utf-8")
          .send(response instanceof JsonText ? response.body : JSON.stringify(response));
      },
    });
  };

  if (checkResponses)
    app.addHook("onSend", async ({ routeOptions, method }, { statusCode }, payload) => {
      const { operation } = routeOptions.config;
      if (operation?.method === method && statusCode >= 400 && statusCode < 500 && !failureStatuses(operation).includes(statusCode))
        throw new HttpError(500, `${method} ${operation.path} does not declare the status ${statusCode}: ${String(payload)}`);
      return payload;
    });

  // Every route under the API paths must belong to an operation.
  app.addHook("onRoute", ({ url, config }) => {
    if (/^\/(v1|api)\//.test(url) && !config?.operation && !UNLISTED_ROUTES.has(url))
      throw new Error(`The route ${url} is in no operations table, so it has neither scope nor rule`);
  });

  return {
    route,
    authorizedCaller,
    assertComplete() {
      const missing = Object.entries(operations).filter(([, operation]) => !routedOperations.has(operation));
      if (missing.length > 0) throw new Error(`Operations without a route: ${missing.map(([name]) => name).join(", ")}`);
    },
  };
}

/**
 * Keeps a silent connection open until the promise settles: nothing is read from or written to it meanwhile. A request that was sent before the response to the
 * one before it on its connection keeps the idle time, which bounds how long that response may stay unread.
 */
async function withoutIdleTimeout({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, idleMs: number, settled: Promise<void>): Promise<void> {
  // Injected requests have no real socket. Node gives a response its socket when the responses before it are sent.
  if (typeof socket.setTimeout !== "function" || response.socket !== socket) return settled;
  socket.setTimeout(0);
  try {
    await settled;
  } finally {
    socket.setTimeout(idleMs);
  }
}

/** Rejects a byte stream where JSON is expected and the reverse. */
function assertBodyKind({ bytes }: Operation, { body }: FastifyRequest): void {
  if (bytes === "body" && !isStream(body)) throw new HttpError(415, "Send the file's bytes as application/octet-stream.");
  if (bytes === undefined && isStream(body)) throw new HttpError(415, "Send the body as application/json.");
}

/** Throws at startup for an operation without a rule or scope, or one that is open by mistake. */
export function assertOperationComplete(operation: Operation): void {
  const name = `${operation.method} ${operation.path}`;
  if (!RULES.includes(operation.rule)) throw new Error(`${name} has no rule`);
  if (operation.scope === undefined) throw new Error(`${name} has no scope`);
  if ((operation.rule === "open") !== (operation.scope === null)) throw new Error(`${name}: an open operation, and only an open one, has no scope`);
}
