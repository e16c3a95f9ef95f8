/** Forwards the responses of a service that breaks the rules of HTTP. */
import { once } from "node:events";
import { createServer as createListener, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ANONYMOUS } from "../testing/client.ts";
import { createByteStream, sendRawRequest } from "../testing/raw-socket.ts";
import { closeAll, closers, startInFront, startPair } from "../testing/upstream.ts";

afterEach(closeAll);

describe("a response that is odd", () => {
  /** Starts a service that answers each request on its connection with these bytes. */
  async function startRaw(respond: (socket: Socket, requestCount: number) => void): Promise<string> {
    let count = 0;
    const server = createListener((socket) => void socket.on("error", () => {}).on("data", () => respond(socket, (count += 1)))).listen(0, "127.0.0.1");
    await once(server, "listening");
    closers.push(() => server.close());
    return (await startInFront(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { limits: { responseMs: 3_000 } })).base;
  }
  const get = async (base: string) => sendRawRequest(base, ANONYMOUS, { method: "GET", path: "/v1/a" });

  it.each([
    ["an upgrade that nobody asked for", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", /not valid HTTP/],
    ["no HTTP at all", "hello\r\n\r\n", /not valid HTTP/],
    ["too many headers", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(70_000)}\r\n\r\n`, /more than 64 KiB of headers/],
  ])("as %s is a 502", async (_title, bytes, detail) => {
    const base = await startRaw((socket) => void socket.end(bytes));
    expect(await get(base)).toMatchObject({ status: 502, json: { detail: expect.stringMatching(detail) } });
  });

  it.each(["//", "http://[", "/%"])("in its location %s is handed on as it is", async (location) => {
    const base = await startRaw((socket) => void socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`));
    const { status, headers } = await get(base);
    expect(status).toBe(302);
    expect(headers.location).toMatch(location === "/%" ? /\/%$/ : location);
  });

  it("in headers of 40 kB arrives", async () => {
    const base = await startRaw(
      (socket) =>
        void socket.end(`HTTP/1.1 200 OK\r\nETag: ${"x".repeat(8_000)}\r\n${"X-A: y\r\n".repeat(1_000)}Content-Length: 0\r\nConnection: close\r\n\r\n`),
    );
    expect((await get(base)).status).toBe(200);
  });

  it.each([
    ["GET", 200, 3],
    ["POST", 502, 2],
  ])("on a connection that breaks while it is used again repeats a %s only if that is safe", async (method, status, count) => {
    let seen = 0;
    const base = await startRaw((socket, requestCount) => {
      seen = requestCount;
      if (requestCount === 2) return void socket.resetAndDestroy();
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    expect((await get(base)).status).toBe(200);
    expect((await sendRawRequest(base, ANONYMOUS, { method, path: "/v1/a" })).status).toBe(status);
    expect(seen).toBe(count);
  });

  it("by beginning before the body is complete is not cut later", async () => {
    const { base } = await startPair(
      (request, response) => {
        response.writeHead(200).write("begun,");
        request.resume().on("end", () => setTimeout(() => response.end("done"), 150));
      },
      { limits: { responseMs: 50 } },
    );
    const { status, text } = await sendRawRequest(base, ANONYMOUS, { method: "PUT", path: "/v1/files/upload", body: createByteStream(100_000) });
    expect([status, text]).toEqual([200, "begun,done"]);
  });
});
