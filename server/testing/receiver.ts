/** A webhook receiver that records all requests and misbehaves as the request path specifies. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

export interface ReceivedRequest {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  /** `performance.now()` when the whole request had arrived. */
  receivedAt: number;
}
export type ResponseHandler = (response: ServerResponse, received: ReceivedRequest, request: IncomingMessage) => unknown;

export interface Receiver {
  /** `http://127.0.0.1:<port>`, or https when started with a certificate. */
  base: string;
  port: number;
  requests: ReceivedRequest[];
  /** Handlers by path; any other path returns 200 with JSON. */
  handlers: Record<string, ResponseHandler>;
  /** Resolves once `count` requests have arrived. */
  waitForRequests(count: number, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

const writeRaw = (response: ServerResponse, bytes: string): boolean => response.socket?.write(bytes) ?? false;
/** Writes at an interval until the client disconnects. */
function writeRepeatedly(response: ServerResponse, intervalMs: number, writeChunk: () => void): void {
  const timer = setInterval(writeChunk, intervalMs);
  response.socket?.on("close", () => clearInterval(timer));
}

/** Ways in which a receiver can misbehave. */
export const FAILURE_MODES = {
  hang: () => {},
  "slow-headers": (response) => {
    writeRaw(response, "HTTP/1.1 200 OK\r\n");
    writeRepeatedly(response, 20, () => writeRaw(response, "x-a: b\r\n"));
  },
  drip: (response) => {
    response.writeHead(200);
    writeRepeatedly(response, 20, () => response.write("x"));
  },
  "endless-103": (response) => writeRepeatedly(response, 5, () => writeRaw(response, "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n")),
  reset: (response) => response.socket?.resetAndDestroy(),
  "reset-in-body": (response) => {
    response.writeHead(200, { "content-length": "100" }).write("half");
    setTimeout(() => response.socket?.resetAndDestroy(), 30);
  },
  "ends-early": (response) => response.socket?.end(),
  moved: (response) => response.writeHead(301, { location: "/moved-here" }).end(),
  gone: (response) => response.writeHead(410).end(),
  busy: (response) => response.writeHead(429, { "retry-after": "120" }).end("later"),
  unavailable: (response) => response.writeHead(503, { "retry-after": new Date(Date.now() + 600_000).toUTCString() }).end(),
  broken: (response) => response.writeHead(500, { "content-type": "text/plain" }).end("Something \0 failed"),
  "broken-drip": (response) => {
    response.writeHead(500).write("oh");
    writeRepeatedly(response, 20, () => response.write("o"));
  },
  "large-header": (response) => writeRaw(response, `HTTP/1.1 200 OK\r\nx-large: ${"x".repeat(40_000)}\r\ncontent-length: 0\r\n\r\n`),
  "endless-body": (response) => {
    const flood = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, "é")));
      response.once("drain", flood);
    };
    response.writeHead(200);
    flood();
  },
  "no-http": (response) => writeRaw(response, "220 mail.example ESMTP\r\n"),
  upgrade: (response) => writeRaw(response, "HTTP/1.1 101 Switching Protocols\r\nupgrade: chess\r\nconnection: upgrade\r\n\r\n"),
  empty: (response) => response.writeHead(204).end(),
} satisfies Record<string, ResponseHandler>;

/** `tls` contains the key and certificate as PEM. */
export async function startReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const handlers: Record<string, ResponseHandler> = Object.fromEntries(Object.entries(FAILURE_MODES).map(([name, handler]) => [`/${name}`, handler]));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on("error", () => {});
    const body = await text(request);
    const received: ReceivedRequest = {
      path: request.url ?? "",
      method: request.method ?? "",
      headers: request.headers as Record<string, string>,
      body,
      receivedAt: performance.now(),
    };
    requests.push(received);
    const handler = handlers[received.path];
    if (handler) await handler(response, received, request);
    else response.writeHead(200, { "content-type": "application/json" }).end('{"received":true}');
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => void handle(request, response).catch(() => response.destroy());
  const server: Server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  server.on("clientError", (_error, socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    requests,
    handlers,
    async waitForRequests(count, timeoutMs = 10_000) {
      const deadline = performance.now() + timeoutMs;
      while (requests.length < count) {
        if (performance.now() > deadline) throw new Error(`Only ${requests.length} of ${count} requests came`);
        await sleep(5);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
