/** Forwards requests and WebSockets to the other service as streams: nothing is stored, parsed or followed. */
import { randomUUID } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SECOND } from "../lib/clock.ts";
import { HttpError } from "../lib/errors.ts";
import type { Upstream } from "./address.ts";
import type { HeaderTranslation } from "./headers.ts";

export interface ForwardLimits {
  /** Time to connect to the other service. */
  connectMs: number;
  /** Time until the head of a response, from when the whole request is sent. Less than a silent connection of the browser may last, so that it gets a 504. */
  responseMs: number;
  /** How long a WebSocket may be silent in both directions. */
  silentSocketMs: number;
  /** How long a body that the other service no longer reads is drained, so that its sender has time to read the response. */
  lingerMs: number;
}
export const FORWARD_LIMITS: ForwardLimits = { connectMs: 10 * SECOND, responseMs: 50 * SECOND, silentSocketMs: 120 * SECOND, lingerMs: 5 * SECOND };

class ForwardTimeout extends Error {}

/** Time for the check at the start, longer than a service on the other side of the world takes. */
const CHECK_TIMEOUT_MS = 5_000;

/** Bytes of a response's headers: more than browsers accept from us, since ours have to fit too. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Methods of requests that may be repeated although the other service may have received them. */
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

class ClosedEarly extends Error {}

export function createForwarder(upstream: Upstream, { toUpstream, toBrowser }: HeaderTranslation, limits: ForwardLimits) {
  const { request: startRequest, Agent } = upstream.origin.startsWith("https:") ? https : http;
  const { protocol, hostname, port } = new URL(upstream.origin);
  const agent = new Agent({ keepAlive: true });
  const instanceName = `1.1 talkback-${randomUUID()}`;
  const tunnels = new Set<Socket>();

  /** Opens the request to the other service, without its body. */
  function open(incoming: http.IncomingMessage, headers: http.OutgoingHttpHeaders, useAgent: http.Agent | false): http.ClientRequest {
    const { via } = incoming.headers;
    if (via?.includes(instanceName)) throw new HttpError(502, `${upstream.baseUrl} leads back to this address: --upstream must name another service.`);
    const outgoing = startRequest({
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      // As it was received: a URL would escape some of its characters.
      path: upstream.basePath + (incoming.url ?? ""),
      method: incoming.method ?? "GET",
      agent: useAgent,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: { ...headers, via: [via, instanceName].filter(Boolean).join(", ") },
    });
    let timer = setTimeout(() => outgoing.destroy(new ForwardTimeout()), limits.connectMs);
    outgoing.once("socket", (socket) => {
      if (!socket.connecting) clearTimeout(timer);
      else socket.once(upstream.origin.startsWith("https:") ? "secureConnect" : "connect", () => clearTimeout(timer));
    });
    let hasResponse = false;
    outgoing.once("finish", () => {
      clearTimeout(timer);
      // A response may begin before the body is complete.
      if (hasResponse) return;
      timer = setTimeout(() => outgoing.destroy(new ForwardTimeout()), limits.responseMs);
    });
    for (const event of ["response", "upgrade", "close"]) {
      outgoing.once(event, () => {
        hasResponse = true;
        clearTimeout(timer);
      });
    }
    return outgoing;
  }

  /** Sends the request and resolves with the head of the response. Throws an `HttpError` if there is none. */
  async function exchange(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<http.IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const outgoing = open(incoming, toUpstream(incoming.headers, incoming.method ?? "GET"), agent);
    outgoing.once("response", resolve).on("error", reject);
    // Nobody asked for an upgrade. Without a listener Node closes the request without an error.
    outgoing.once("upgrade", (_response, socket: Duplex) => socket.destroy()).once("close", () => reject(new ClosedEarly()));
    response.once("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
    try {
      return await promise;
    } catch (error) {
      incoming.unpipe(outgoing);
      // The other service may have closed a connection that was kept open just when it was used again.
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET" && !hasBody(incoming);
      if (isStale && REPEATABLE_METHODS.has(outgoing.method) && !response.destroyed) return exchange(incoming, response);
      throw toGatewayError(error, upstream);
    }
  }

  return {
    /** Forwards a request whose body nobody has read. Throws an `HttpError` as long as no byte of a response is sent. */
    async forward(incoming: http.IncomingMessage, response: http.ServerResponse, beforeResponse: () => void): Promise<void> {
      const received = await exchange(incoming, response);
      try {
        const headers = toBrowser(received.rawHeaders);
        // The rest of a body that the other service did not want is not worth a connection.
        if (!incoming.complete) headers.push(["Connection", "close"]);
        response.writeHead(received.statusCode ?? 502, received.statusMessage, headers.flat());
      } catch (error) {
        received.destroy();
        throw toGatewayError(error, upstream);
      }
      beforeResponse();
      response.flushHeaders();
      // A response that breaks off must not look complete: the pipeline then destroys the connection to the browser.
      await pipeline(received, response).catch(() => response.destroy());
      if (incoming.complete || response.destroyed) return;
      incoming.unpipe().resume();
      const timer = setTimeout(() => incoming.socket.destroy(), limits.lingerMs);
      incoming.once("close", () => clearTimeout(timer));
    },

    /** Forwards a WebSocket frame by frame as it comes, close codes included, or the response that refuses it. Throws an `HttpError`. */
    async forwardUpgrade(incoming: http.IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<{ response: http.IncomingMessage; upstreamSocket: Socket | null; upstreamHead: Buffer }>();
      const outgoing = open(incoming, { ...toUpstream(incoming.headers, "GET"), connection: "Upgrade", upgrade: "websocket" }, false);
      outgoing
        .once("upgrade", (response, upstreamSocket: Duplex, upstreamHead) => resolve({ response, upstreamSocket: upstreamSocket as Socket, upstreamHead }))
        .once("response", (response) => resolve({ response, upstreamSocket: null, upstreamHead: Buffer.alloc(0) }))
        .on("error", reject)
        .once("close", () => reject(new ClosedEarly()))
        .end();
      const onClose = () => void outgoing.destroy();
      socket.once("close", onClose).on("error", onClose);
      const { response, upstreamSocket, upstreamHead } = await promise.catch((error: unknown) => {
        throw toGatewayError(error, upstream);
      });
      const connection: [string, string][] = upstreamSocket
        ? [
            ["Connection", "Upgrade"],
            ["Upgrade", "websocket"],
          ]
        : [["Connection", "close"]];
      const lines = [...toBrowser(response.rawHeaders), ...connection].map(([name, value]) => `${name}: ${value}`);
      socket.write([`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`, ...lines, "", ""].join("\r\n"), "latin1");
      if (!upstreamSocket) return pipeline(response, socket).catch(() => void socket.destroy());
      socket.write(upstreamHead);
      upstreamSocket.write(head);
      tunnels.add(socket);
      socket.setTimeout(limits.silentSocketMs, () => socket.destroy());
      for (const [from, to] of [
        [socket, upstreamSocket],
        [upstreamSocket, socket],
      ] as const) {
        from.pipe(to);
        // What has arrived from the side that is gone, such as its close code, is still written.
        from.on("error", () => {}).once("close", () => to.destroySoon());
      }
      socket.once("close", () => tunnels.delete(socket));
    },

    /** Ends all WebSockets, and connections that no request uses. */
    close(): void {
      for (const socket of tunnels) socket.destroy();
      agent.destroy();
    },
  };
}

const hasBody = ({ headers }: http.IncomingMessage): boolean => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const REASONS: Record<string, string> = {
  ECONNREFUSED: "it refuses connections",
  ENOTFOUND: "its name is unknown",
  EAI_AGAIN: "its name could not be looked up",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  EPROTO: "it does not speak https there",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak https there",
};

/** Returns why there is no response, in words that complete "cannot be reached: …". */
function unreachableReason(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (error instanceof ForwardTimeout || code === "ETIMEDOUT") return "it did not respond in time";
  if (/CERT|SIGNATURE|UNABLE_TO|ALTNAME/.test(code)) return `its certificate is not valid (${message})`;
  return REASONS[code] ?? "the connection broke off";
}

function toGatewayError(error: unknown, { baseUrl }: Upstream): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ForwardTimeout) return new HttpError(504, `The service at ${baseUrl} did not respond in time. Try again.`, { retryAfter: 5 });
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "HPE_HEADER_OVERFLOW") return new HttpError(502, `The service at ${baseUrl} sent more than ${MAX_HEADER_BYTES / 1_024} KiB of headers.`);
  if (error instanceof ClosedEarly || /^(HPE_|ERR_INVALID_)/.test(code))
    return new HttpError(502, `The service at ${baseUrl} sent a response that is not valid HTTP.`);
  return new HttpError(502, `The service at ${baseUrl} cannot be reached: ${unreachableReason(error)}. Try again.`, { retryAfter: 5 });
}

/** Returns why the service cannot be reached; null if it responds, whatever it responds. */
export function findUnreachableReason({ baseUrl }: Upstream): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const request = (baseUrl.startsWith("https:") ? https : http).request(`${baseUrl}/api/v2/service`, { agent: false });
  const timer = setTimeout(() => request.destroy(new ForwardTimeout()), CHECK_TIMEOUT_MS);
  request
    .on("response", () => resolve(null))
    .on("error", (error) => resolve(unreachableReason(error)))
    .end();
  return promise.finally(() => {
    clearTimeout(timer);
    request.destroy();
  });
}
