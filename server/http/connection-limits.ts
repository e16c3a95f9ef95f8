/** Bounds how many connections and requests one caller holds, and how long a slow upload or a response that nobody reads can hold its connection. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { sendsItsResponse } from "../../contract/define-operation.ts";
import type { Actor } from "../access/access.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { clientAddress, parseAddress } from "../lib/network.ts";
import { hasUnreadBody } from "./body.ts";
import { createEvictingCounts, type Entry } from "./evicting-counts.ts";
import { reportAccount } from "./request-reports.ts";
import { operationOf } from "./route.ts";

export interface ConnectionLimits {
  /** Connections, and requests under way, of one IPv4 address or IPv6 /64. An IPv6 /56 may have twice as many, a /48 four times. */
  connectionsPerNetwork: number;
  /** Connections, and requests under way, that count for an account. Further ones count for their network. */
  connectionsPerAccount: number;
  /** The same for all accounts of an organization together. */
  connectionsPerOrganization: number;
  /** Connections from which on each new one ends one of whoever has most. */
  connectionsInTotal: number;
  /** How long a connection may be silent in both directions. */
  idleMs: number;
  /** How long a client may take to read a JSON response. */
  responseMs: number;
  /** The same for a file of the web client. */
  fileResponseMs: number;
  /** How long an upload may be slower than `uploadBytesPerSecond`. An upload without any bytes ends by the socket's timeout before. */
  uploadGraceMs: number;
  /** The least average rate of an upload from when it is read. */
  uploadBytesPerSecond: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsPerNetwork: 500,
  connectionsPerAccount: 200,
  connectionsPerOrganization: 1_500,
  connectionsInTotal: 9_000,
  idleMs: 60 * SECOND,
  responseMs: 60 * SECOND,
  fileResponseMs: 300 * SECOND,
  uploadGraceMs: 120 * SECOND,
  uploadBytesPerSecond: 1_000,
};

const WARNING_INTERVAL_MS = MINUTE;

declare module "fastify" {
  interface FastifyInstance {
    /** Counts the request for its network until it ends. Behind a trusted proxy that is the network of the forwarded address. */
    countForNetwork(request: FastifyRequest, reply: FastifyReply): void;
    /** Counts the request, and its connection from now on, for the account and its organization. */
    countForAccount(request: FastifyRequest, actor: Actor): void;
  }
}

export function limitConnections(app: FastifyInstance, isTrustedProxy: (address: string | undefined) => boolean, limits: ConnectionLimits): void {
  limitByHolder(app, isTrustedProxy, limits);
  // After the hooks of `onRequest`, in which an upload may be queued while others of its account run.
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { bytes } = operationOf(request) ?? {};
    if (bytes === "body" || bytes === "tus") endSlowUpload(request, limits);
    done();
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const operation = operationOf(request);
    // Stored bytes and zips take as long as people listen or download; the socket's timeout ends those that nobody reads.
    if (!operation || !sendsItsResponse(operation) || !(payload instanceof Readable)) {
      const timer = setTimeout(() => request.raw.socket.destroy(), payload instanceof Readable ? limits.fileResponseMs : limits.responseMs).unref();
      const end = (): void => clearTimeout(timer);
      reply.raw.once("close", end).once("finish", end);
    }
    done(null, payload);
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

/**
 * Where a network has too many connections or requests of callers who are not signed in, its oldest one ends in favor of the new one, so that nobody keeps
 * others of the same network from signing in. What belongs to an account counts for the account and its organization instead. Where the service has too many
 * in all, whoever has most loses one, because a service that refuses new ones is there only for those who came first.
 */
function limitByHolder(app: FastifyInstance, isTrustedProxy: (address: string | undefined) => boolean, limits: ConnectionLimits): void {
  let nextWarningAt = 0;
  const onEvicted = (holder: string, count: number): void => {
    if (performance.now() < nextWarningAt) return;
    nextWarningAt = performance.now() + WARNING_INTERVAL_MS;
    app.log.warn({ holder, count }, "too many connections or requests: the oldest ones end (of one network: CONNECTIONS_PER_NETWORK)");
  };
  const { connectionsPerNetwork: perNetwork, connectionsPerAccount: perAccount, connectionsPerOrganization: perOrganization } = limits;
  const connections = createEvictingCounts({ perNetwork, perAccount, perOrganization, onEvicted });
  const requests = createEvictingCounts({ perNetwork, perAccount, perOrganization, onEvicted });
  const connectionEntries = new WeakMap<Socket, Entry>();
  const requestEntries = new WeakMap<IncomingMessage, Entry>();
  let openSockets = 0;

  app.server.on("connection", (socket) => {
    openSockets += 1;
    socket.once("close", () => (openSockets -= 1));
    // Behind a proxy, each request under way has a connection.
    if (openSockets > limits.connectionsInTotal) (connections.size() < requests.size() ? requests : connections).evictFromLargest();
    // Those of a proxy carry the requests of many people, which count on their own.
    if (isTrustedProxy(socket.remoteAddress)) return;
    const entry = connections.add(parseAddress(socket.remoteAddress) ?? "unknown", () => socket.destroy());
    connectionEntries.set(socket, entry);
    socket.once("close", () => entry.release());
  });

  app.decorate("countForNetwork", (request, reply) => {
    const { raw } = request;
    const entry = requests.add(clientAddress(request), () => raw.socket.destroy());
    const release = (): void => entry.release();
    requestEntries.set(raw, entry);
    // The rest of a body may still arrive after the response.
    const onResponse = (): void => void (hasUnreadBody(raw) ? raw.once("close", release) : release());
    reply.raw.once("finish", onResponse).once("close", onResponse);
  });

  app.decorate("countForAccount", (request, actor) => {
    const { raw } = request;
    reportAccount(request, actor.accountId);
    requestEntries.get(raw)?.countFor(actor);
    connectionEntries.get(raw.socket)?.countFor(actor);
  });
}
