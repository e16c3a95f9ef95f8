/** Bounds how many connections and requests strangers hold, and how long a slow upload or a response that nobody reads can hold its connection. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { respondsWithBytes } from "../../contract/define-operation.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { createCounts } from "../lib/counts.ts";
import { clientAddress, parseAddress, toNetworkLimits } from "../lib/network.ts";
import { hasUnreadBody } from "./body.ts";
import { operationOf } from "./route.ts";

export interface ConnectionLimits {
  /** Connections, and requests under way, of one IPv4 address or IPv6 /64. An IPv6 /56 may have twice as many, a /48 four times. */
  connectionsPerNetwork: number;
  /** Connections that count for an account. Further ones count for their network. */
  connectionsPerAccount: number;
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
  idleMs: 60 * SECOND,
  responseMs: 60 * SECOND,
  fileResponseMs: 300 * SECOND,
  uploadGraceMs: 120 * SECOND,
  uploadBytesPerSecond: 1_000,
};

/** Connections, and requests under way, of all networks together. Leaves some of the server's connections to those who are signed in. */
const MAX_IN_TOTAL = 9_000;
const ALL_NETWORKS = "all networks";
const WARNING_INTERVAL_MS = MINUTE;

declare module "fastify" {
  interface FastifyInstance {
    /** Counts the request for its network until it ends. Behind a trusted proxy that is the network of the forwarded address. */
    countForNetwork(request: FastifyRequest, reply: FastifyReply): void;
    /** Counts the request, and its connection from now on, for the account. */
    countForAccount(request: FastifyRequest, accountId: number): void;
  }
}

export function limitConnections(app: FastifyInstance, isTrustedProxy: (address: string | undefined) => boolean, limits: ConnectionLimits): void {
  limitAnonymous(app, isTrustedProxy, limits);
  // After the hooks of `onRequest`, in which an upload may be queued while others of its account run.
  app.addHook("preParsing", async (request) => {
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

/**
 * Where a network has too many connections or requests of callers who are not signed in, its oldest one ends in favor of the new one, so that nobody keeps
 * others of the same network from signing in. What belongs to an account counts for the account instead.
 */
function limitAnonymous(app: FastifyInstance, isTrustedProxy: (address: string | undefined) => boolean, limits: ConnectionLimits): void {
  let nextWarningAt = 0;
  const warn = (network: string, limit: number): void => {
    if (performance.now() < nextWarningAt) return;
    nextWarningAt = performance.now() + WARNING_INTERVAL_MS;
    app.log.warn({ network, limit }, "callers who are not signed in have too many connections or requests: the oldest ones end (CONNECTIONS_PER_NETWORK)");
  };
  const [connections, requests] = [createEvictingCounts(limits.connectionsPerNetwork, warn), createEvictingCounts(limits.connectionsPerNetwork, warn)];
  const accountConnections = createCounts();
  /** Release what counts for a network. */
  const anonymousConnections = new WeakMap<Socket, () => void>();
  const anonymousRequests = new WeakMap<IncomingMessage, () => void>();

  app.server.on("connection", (socket) => {
    // Those of a proxy carry the requests of many people, which count on their own.
    if (isTrustedProxy(socket.remoteAddress)) return;
    const release = connections.add(parseAddress(socket.remoteAddress) ?? "unknown", () => socket.destroy());
    anonymousConnections.set(socket, release);
    socket.once("close", release);
  });

  app.decorate("countForNetwork", (request, reply) => {
    const { raw } = request;
    const release = requests.add(clientAddress(request), () => raw.socket.destroy());
    anonymousRequests.set(raw, release);
    // The rest of a body may still arrive after the response.
    const onResponse = (): void => void (hasUnreadBody(raw) ? raw.once("close", release) : release());
    reply.raw.once("finish", onResponse).once("close", onResponse);
  });

  app.decorate("countForAccount", ({ raw }, accountId) => {
    anonymousRequests.get(raw)?.();
    const releaseConnection = anonymousConnections.get(raw.socket);
    if (!releaseConnection || accountConnections.get(String(accountId)) >= limits.connectionsPerAccount) return;
    releaseConnection();
    anonymousConnections.delete(raw.socket);
    raw.socket.once("close", accountConnections.add(String(accountId)));
  });
}

interface Entry {
  keys: string[];
  end(): void;
}

/** Counts entries by network. An entry beyond a network's limit ends the network's oldest one; `onEvicted` learns of it. */
function createEvictingCounts(perNetwork: number, onEvicted: (network: string, limit: number) => void) {
  const entriesByKey = new Map<string, Set<Entry>>();

  function remove(entry: Entry): void {
    for (const key of entry.keys) {
      const entries = entriesByKey.get(key);
      if (entries?.delete(entry) && entries.size === 0) entriesByKey.delete(key);
    }
  }

  function oldestBeyond(network: string, limit: number): Entry | undefined {
    const entries = entriesByKey.get(network);
    return entries && entries.size >= limit ? entries.values().next().value : undefined;
  }

  return {
    /** `end`: ends the entry in favor of a new one. Returns a function that counts it no longer. */
    add(address: string, end: () => void): () => void {
      const bounds = [...toNetworkLimits(address, perNetwork), { network: ALL_NETWORKS, limit: MAX_IN_TOTAL }];
      const entry: Entry = { keys: bounds.map(({ network }) => network), end };
      for (const { network, limit } of bounds) {
        const oldest = oldestBeyond(network, limit);
        if (oldest) {
          remove(oldest);
          oldest.end();
          onEvicted(network, limit);
        }
        const entries = entriesByKey.get(network) ?? new Set();
        entriesByKey.set(network, entries.add(entry));
      }
      return () => remove(entry);
    },
  };
}
