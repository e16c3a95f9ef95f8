/** Creates the HTTP server with what every request needs: limits, body parsers, security headers, cookies, rate limits, problem responses. */
import fastifyCookie from "@fastify/cookie";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createListener } from "node:net";
import { LIMITS } from "../../contract/limits.ts";
import { createLog, type Log } from "../lib/log.ts";
import { createNetworkMatcher } from "../lib/network.ts";
import { BODY_LIMITS, type BodyLimits, registerBodyParsers } from "./body.ts";
import { compressResponses } from "./compression.ts";
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from "./connection-limits.ts";
import { allowOrigins } from "./cors.ts";
import { isLiveUpgrade } from "./live/plugin.ts";
import { MAX_PATH_SEGMENT_CHARACTERS, registerErrorHandler, sendProblem } from "./problems.ts";
import { registerHealth } from "./probes.ts";
import { createRequestIds, reportRequests } from "./request-reports.ts";
import { rejectUnparsedRequest, trackRoutes } from "./unknown-routes.ts";
import { addSecurityHeaders } from "./web-client.ts";

export interface ServerOptions {
  publicUrl: string;
  logLevel: string;
  /** Replaces a log of this level in JSON. */
  log?: Log | undefined;
  /** Addresses or networks of reverse proxies whose forwarding headers are trusted. */
  trustProxy: string[];
  /** Connections, and requests under way, of one network that is not signed in. */
  connectionsPerNetwork?: number;
  /** Origins whose pages may call the API with a token. */
  corsOrigins?: readonly string[];
  /** Where redirects to media lead; null if there are none. */
  mediaOrigin?: string | null;
  /** Decides which upgrades become WebSockets; others are handled as normal requests. By default those to the live channel. */
  isUpgrade?: (request: IncomingMessage) => boolean;
  /** Replaces some of the limits on connections and bodies (tests). */
  limits?: Partial<ServerLimits> | undefined;
  /** Receives the log instead of standard output (tests). */
  logStream?: { write(line: string): void } | undefined;
}

export type ServerLimits = ConnectionLimits & BodyLimits;

/** Further ones are refused. More than `connectionsInTotal`, so that this happens only if a proxy has many connections without requests. */
const MAX_CONNECTIONS = 10_000;

export async function createServer({
  publicUrl,
  logLevel,
  trustProxy,
  connectionsPerNetwork = CONNECTION_LIMITS.connectionsPerNetwork,
  corsOrigins = [],
  mediaOrigin = null,
  isUpgrade = isLiveUpgrade,
  limits: replacedLimits,
  logStream,
  log = createLog({ level: logLevel, stream: logStream }),
}: ServerOptions): Promise<FastifyInstance> {
  const limits: ServerLimits = { ...CONNECTION_LIMITS, ...BODY_LIMITS, connectionsPerNetwork, ...replacedLimits };
  const isTrustedProxy = createNetworkMatcher(trustProxy);
  const loggerInstance: FastifyBaseLogger = log;
  const server: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    trustProxy: trustProxy.length > 0 ? isTrustedProxy : false,
    bodyLimit: LIMITS.json_bytes,
    // An upload may take hours. Other bodies have a time limit of their own.
    requestTimeout: 0,
    connectionTimeout: limits.idleMs,
    genReqId: createRequestIds(isTrustedProxy),
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, connectionsCheckingInterval: 5_000, shouldUpgradeCallback: isUpgrade },
    routerOptions: { maxParamLength: MAX_PATH_SEGMENT_CHARACTERS },
    forceCloseConnections: "idle",
    frameworkErrors: sendProblem,
    clientErrorHandler: (error, socket) => rejectUnparsedRequest(server, error, socket),
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  registerErrorHandler(server);
  trackRoutes(server);
  reportRequests(server, isTrustedProxy);
  addSecurityHeaders(server, publicUrl, mediaOrigin);
  allowOrigins(server, corsOrigins);
  limitConnections(server, isTrustedProxy, limits);
  compressResponses(server);
  registerBodyParsers(server, limits);
  await server.register(fastifyCookie);
  registerHealth(server);
  return server;
}

const resolveAddresses = async (name: string): Promise<string[]> => (await lookup(name, { all: true })).map(({ address }) => address);

/** Starts listening; call it once and before any request. `localhost` may have several addresses, which all lead to the one server and its limits. */
export async function listen(server: FastifyInstance, { host, port }: { host: string; port: number }, resolve = resolveAddresses): Promise<void> {
  const [first, ...others] = host === "localhost" ? await resolve(host) : [host];
  const listeners = [...new Set(others)].map((address) => {
    const listener = createListener({ allowHalfOpen: true, noDelay: true }, (socket) => void server.server.emit("connection", socket));
    listener.maxConnections = MAX_CONNECTIONS;
    return { address, listener };
  });
  server.addHook("preClose", async () => listeners.forEach(({ listener }) => void listener.close()));
  await server.listen({ host: first ?? host, port });
  const { port: actualPort } = server.server.address() as AddressInfo;
  for (const { address, listener } of listeners) {
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    listener.once("listening", settle).on("error", (error) => {
      // The name may have addresses that this machine does not.
      server.log.info({ err: error }, `not listening on ${address}`);
      settle();
    });
    listener.listen({ host: address, port: actualPort });
    await settled;
  }
}
