/** Creates the HTTP server with what every request needs: limits, body parsers, security headers, cookies, rate limits, problem responses. */
import fastifyCookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import { LIMITS } from "../../contract/limits.ts";
import { newRequestId } from "../lib/crypto.ts";
import { createNetworkMatcher } from "../lib/network.ts";
import { registerBodyParsers } from "./body.ts";
import { isLiveUpgrade } from "./live/plugin.ts";
import { MAX_PATH_SEGMENT_CHARACTERS, registerErrorHandler, rejectMalformedRequest, sendProblem } from "./problems.ts";
import { addSecurityHeaders } from "./web-client.ts";

export interface ServerOptions {
  publicUrl: string;
  logLevel: string;
  /** Addresses or networks of reverse proxies whose forwarding headers are trusted. */
  trustProxy: string[];
}

export async function createServer({ publicUrl, logLevel, trustProxy }: ServerOptions): Promise<FastifyInstance> {
  const server = Fastify({
    logger: { level: logLevel, redact: ["req.headers.authorization", "req.headers.cookie"] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? createNetworkMatcher(trustProxy) : false,
    bodyLimit: LIMITS.json_bytes,
    // An upload may take hours; the socket timeout ends idle ones.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    genReqId: () => newRequestId(),
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, shouldUpgradeCallback: isLiveUpgrade },
    routerOptions: { maxParamLength: MAX_PATH_SEGMENT_CHARACTERS },
    forceCloseConnections: "idle",
    frameworkErrors: sendProblem,
    clientErrorHandler: rejectMalformedRequest,
  });
  server.server.maxConnections = 10_000;
  registerErrorHandler(server);
  registerBodyParsers(server);
  await addSecurityHeaders(server, publicUrl);
  await server.register(fastifyCookie);
  await server.register(rateLimit, { global: false });
  return server;
}
