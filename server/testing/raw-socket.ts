/** Real connections to a listening service, for what only a socket can do, such as aborting. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { Caller } from "./client.ts";
import { findFreePort } from "../../bin/testing/service-start.ts";
import type { Engine } from "../db/database.ts";
import { createFixtures, type Fixtures } from "./fixtures.ts";
import type { TestApp } from "./test-app.ts";

export interface RawResponse {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  // eslint-disable-next-line typescript/no-explicit-any -- tests access arbitrary members
  json: any;
}
export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** A stream is sent as it arrives, chunked unless a Content-Length is given. */
  body?: Buffer | Readable;
}

/** Starts listening on a free port and returns the base URL. */
export async function listen(testApp: TestApp): Promise<string> {
  await testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(testApp.app.server.server.address() as AddressInfo).port}`;
}

/** Creates fixtures whose service listens at its public URL, which is `base`. */
export async function listenAtPublicUrl(engine: Engine): Promise<{ fixtures: Fixtures; base: string }> {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const fixtures = await createFixtures(engine, { environment: { PUBLIC_URL: base } });
  await fixtures.testApp.app.server.listen({ host: "127.0.0.1", port });
  return { fixtures, base };
}

/** Sends a request and waits for the response, which may arrive before the body is sent completely. */
export function sendRawRequest(base: string, caller: Caller, { method, path, headers = {}, body }: RawRequest): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const length = Buffer.isBuffer(body) ? { "content-length": String(body.length) } : {};
  const request = httpRequest(base + path, {
    method,
    agent: false,
    headers: { ...caller.headers, ...(body ? { "content-type": "application/octet-stream" } : {}), ...length, ...headers },
  });
  request.on("response", async (response) => {
    // A service that answers before it has read the whole body may close the connection while the rest is still being sent.
    request.off("error", reject).on("error", () => {});
    const text = Buffer.concat(await response.toArray()).toString();
    const json: unknown = text !== "" && /json/.test(String(response.headers["content-type"])) ? JSON.parse(text) : undefined;
    resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
    request.destroy();
  });
  request.on("error", reject);
  if (body instanceof Readable) {
    request.flushHeaders();
    body.on("error", () => request.destroy()).pipe(request);
  } else request.end(body);
  return promise;
}

/** Returns a stream of `byteCount` bytes that never holds more than one chunk in memory. */
export function createByteStream(byteCount: number, chunkSize = 65_536): Readable {
  const chunk = Buffer.alloc(chunkSize, 1);
  let remaining = byteCount;
  return new Readable({
    read() {
      const size = Math.min(remaining, chunkSize);
      remaining -= size;
      this.push(size === 0 ? null : chunk.subarray(0, size));
    },
  });
}

export interface RawConnection {
  socket: Socket;
  /** What the service has sent so far. */
  readonly received: string;
  isClosed(): boolean;
  /** Resolves with everything received once the service, or this side, has closed the connection. */
  closed: Promise<string>;
}

/** Opens a connection and writes bytes that need not be a whole request. `localAddress`: an address of this machine, such as 127.0.0.2. */
export function connectRaw(base: string, bytes: string, localAddress = "127.0.0.1"): RawConnection {
  const { port, hostname } = new URL(base);
  let received = "";
  const socket = connect({ port: Number(port), host: hostname, localAddress }, () => void socket.write(bytes));
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  socket
    .on("data", (chunk) => (received += String(chunk)))
    .on("error", () => {})
    .on("close", () => resolve(received));
  return {
    socket,
    get received() {
      return received;
    },
    isClosed: () => socket.destroyed,
    closed,
  };
}

/** Returns the head of a request that declares a body of `length` bytes, and the first byte of it. */
export const unfinishedRequest = (method: string, path: string, headers: Record<string, string> = {}, { length = 100, first = "{" } = {}): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: talkback.test:3000",
    ...Object.entries({ "Content-Type": "application/json", "Content-Length": length, ...headers }).map(([name, value]) => `${name}: ${value}`),
    "",
    first,
  ].join("\r\n");
