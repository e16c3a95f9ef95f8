/** Gives every request an id, and reports it to whoever subscribes (`server/lib/instrumentation.ts`). */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { operations } from "../../contract/operations/all.ts";
import { newRequestId } from "../lib/crypto.ts";
import { type RequestReport, requests } from "../lib/instrumentation.ts";
import { operationOf } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    report: RequestReport | null;
  }
  interface FastifyContextConfig {
    /** Requests to the route are not reported. */
    isProbe?: boolean;
  }
}

const PROXY_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const OPERATION_IDS = new Map<unknown, string>(Object.entries(operations).map(([id, operation]) => [operation, id]));

type IsTrustedProxy = (address: string | undefined) => boolean;

/** Only a trusted proxy names requests: with ids of a stranger's choice, entries of the log could be made to look like those of another request. */
const readTrusted = ({ headers, socket }: IncomingMessage, isTrustedProxy: IsTrustedProxy, name: string, pattern: RegExp): string | null => {
  const value = headers[name];
  return typeof value === "string" && pattern.test(value) && isTrustedProxy(socket.remoteAddress) ? value : null;
};

/** Returns the function that makes the id of each request: that of a trusted proxy's `X-Request-Id`, or a new one. */
export const createRequestIds =
  (isTrustedProxy: IsTrustedProxy): ((raw: IncomingMessage) => string) =>
  (raw) =>
    readTrusted(raw, isTrustedProxy, "x-request-id", PROXY_REQUEST_ID) ?? newRequestId();

/** Records on whose behalf a request runs. */
export function reportAccount(request: FastifyRequest, accountId: number): void {
  if (request.report) request.report.accountId = accountId;
}

/** Must run before the hooks that reject requests, so that they are reported too. */
export function reportRequests(app: FastifyInstance, isTrustedProxy: IsTrustedProxy): void {
  app.decorateRequest("report", null);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    if (!requests.hasSubscribers || request.routeOptions.config.isProbe) return done();
    const report: RequestReport = {
      operation: OPERATION_IDS.get(operationOf(request)) ?? null,
      method: request.method,
      requestId: request.id,
      startedAt: performance.now(),
      accountId: null,
      traceparent: readTrusted(request.raw, isTrustedProxy, "traceparent", TRACEPARENT),
      status: null,
    };
    request.report = report;
    let isEnded = false;
    const end = (isComplete: boolean): void => {
      // An open live connection is no request any more.
      if (isEnded || (request.ws && !isComplete)) return;
      isEnded = true;
      if (isComplete) report.status = reply.raw.statusCode;
      requests.asyncEnd.publish(report);
    };
    reply.raw.once("finish", () => end(true)).once("close", () => end(reply.raw.writableFinished));
    done();
  });
  // What the handler does belongs to the request's span. The hook is the last one, because a body's parser leaves the asynchronous context.
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.report) requests.start.runStores(request.report, () => done());
    else done();
  });
}
