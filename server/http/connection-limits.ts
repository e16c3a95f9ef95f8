/** Bounds what a client can hold open: connections per network, slow uploads, and responses that nobody reads. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { respondsWithBytes } from "../../contract/define-operation.ts";
import { SECOND } from "../lib/clock.ts";
import { createCounts } from "../lib/counts.ts";
import { parseAddress, toRateLimitNetwork } from "../lib/network.ts";
import { hasUnreadBody } from "./body.ts";
import { operationOf } from "./route.ts";

export interface ConnectionLimits {
  /** Connections of one network, upgraded ones included. Those of trusted proxies carry many clients and are not limited. */
  connectionsPerNetwork: number;
  /** How long a client may take to read a JSON response. */
  responseMs: number;
  /** The same for a file of the web client. */
  fileResponseMs: number;
  /** How long an upload may be slower than `uploadBytesPerSecond`. An upload without any bytes ends by the socket's timeout before. */
  uploadGraceMs: number;
  /** The least average rate of an upload from its start. */
  uploadBytesPerSecond: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsPerNetwork: 500,
  responseMs: 60 * SECOND,
  fileResponseMs: 300 * SECOND,
  uploadGraceMs: 120 * SECOND,
  uploadBytesPerSecond: 1_000,
};

export function limitConnections(app: FastifyInstance, isTrustedProxy: (address: string | undefined) => boolean, limits: ConnectionLimits): void {
  const connections = createCounts();
  app.server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (isTrustedProxy(remoteAddress)) return;
    const network = toRateLimitNetwork(parseAddress(remoteAddress) ?? "unknown");
    if (connections.get(network) >= limits.connectionsPerNetwork) return socket.destroy();
    socket.once("close", connections.add(network));
  });

  app.addHook("onRequest", async (request) => {
    const { bytes } = operationOf(request) ?? {};
    if (bytes === "body" || bytes === "tus") endSlowUpload(request, limits);
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const operation = operationOf(request);
    // Stored bytes and zips take as long as people listen or download; the socket's timeout ends those that nobody reads.
    if (operation && respondsWithBytes(operation) && payload instanceof Readable) return;
    const timer = setTimeout(() => request.raw.socket.destroy(), payload instanceof Readable ? limits.fileResponseMs : limits.responseMs).unref();
    reply.raw.once("close", () => clearTimeout(timer)).once("finish", () => clearTimeout(timer));
  });
}

/** Destroys the connection of an upload whose average rate stays below the least one. */
function endSlowUpload({ raw }: FastifyRequest, { uploadGraceMs, uploadBytesPerSecond }: ConnectionLimits): void {
  const { socket } = raw;
  const [startedAt, startBytes] = [performance.now(), socket.bytesRead];
  const timer = setInterval(() => {
    if (!hasUnreadBody(raw)) return clearInterval(timer);
    const seconds = (performance.now() - startedAt) / SECOND;
    if (socket.bytesRead - startBytes < seconds * uploadBytesPerSecond) socket.destroy();
  }, uploadGraceMs).unref();
  raw.once("close", () => clearInterval(timer));
}
