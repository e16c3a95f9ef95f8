/** Real connections to a listening service, for what only a socket can do, such as aborting. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { Caller } from "./client.ts";
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
