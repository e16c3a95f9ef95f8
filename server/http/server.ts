/** Creates the HTTP server with what every request needs: limits, body parsers, security headers, cookies, rate limits, problem responses. */
import fastifyCookie from "@fastify/cookie";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import { LIMITS } from "../../contract/limits.ts";
import { newRequestId } from "../lib/crypto.ts";
import { createNetworkMatcher } from "../lib/network.ts";
import { BODY_LIMITS, type BodyLimits, registerBodyParsers } from "./body.ts";
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from "./connection-limits.ts";
import { allowOrigins } from "./cors.ts";
import { isLiveUpgrade } from "./live/plugin.ts";
import { MAX_PATH_SEGMENT_CHARACTERS, registerErrorHandler, sendProblem } from "./problems.ts";
import { rejectUnknownRoutes, rejectUnparsedRequest, trackRoutes } from "./unknown-routes.ts";
import { addSecurityHeaders } from "./web-client.ts";

export interface ServerOptions {
  publicUrl: string;
  logLevel: string;
  /** Addresses or networks of reverse proxies whose forwarding headers are trusted. */
  trustProxy: string[];
  /** Origins whose pages may call the API with a token. */
  corsOrigins?: readonly string[];
  /** Replaces some of the limits on connections and bodies (tests). */
  limits?: Partial<ServerLimits> | undefined;
  /** Receives the log instead of standard output (tests). */
  logStream?: { write(line: string): void } | undefined;
}

export type ServerLimits = ConnectionLimits & BodyLimits;

export async function createServer({ publicUrl, logLevel, trustProxy, corsOrigins = [], limits, logStream }: ServerOptions): Promise<FastifyInstance> {
  const isTrustedProxy = createNetworkMatcher(trustProxy);
  const server: FastifyInstance = Fastify({
    logger: { level: logLevel, redact: ["req.headers.authorization", "req.headers.cookie"], ...(logStream ? { stream: logStream } : {}) },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? isTrustedProxy : false,
    bodyLimit: LIMITS.json_bytes,
    // An upload may take hours. Other bodies have a time limit of their own, and the socket timeout ends idle connections.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    genReqId: () => newRequestId(),
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, connectionsCheckingInterval: 5_000, shouldUpgradeCallback: isLiveUpgrade },
    routerOptions: { maxParamLength: MAX_PATH_SEGMENT_CHARACTERS },
    forceCloseConnections: "idle",
    frameworkErrors: sendProblem,
    clientErrorHandler: (error, socket) => rejectUnparsedRequest(server, error, socket),
  });
  server.server.maxConnections = 10_000;
  registerErrorHandler(server);
  trackRoutes(server);
  await addSecurityHeaders(server, publicUrl);
  allowOrigins(server, corsOrigins);
  rejectUnknownRoutes(server);
  limitConnections(server, isTrustedProxy, { ...CONNECTION_LIMITS, ...limits });
  registerBodyParsers(server, { ...BODY_LIMITS, ...limits });
  await server.register(fastifyCookie);
  return server;
}
