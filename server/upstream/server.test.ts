/** Forwards over real sockets, to a stand-in that misbehaves and to a real service. */
import type { FastifyInstance } from "fastify";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createListener, type AddressInfo, type Socket } from "node:net";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeAll, afterAll, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { listTeams } from "../../contract/operations/teams.ts";
import { createCertificate } from "../testing/certificate.ts";
import { openRejectedSocket, openSocket, waitUntil } from "../testing/live.ts";
import { createApiToken, PASSWORD, setUpOwner, type Person } from "../testing/people.ts";
import { connectRaw, createByteStream, listen, sendRawRequest } from "../testing/raw-socket.ts";
import { startTestApp, type TestApp } from "../testing/test-app.ts";
import { ANONYMOUS } from "../testing/client.ts";
import { parseUpstream } from "./address.ts";
import { createUpstreamServer, type UpstreamServerOptions } from "./server.ts";

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Starts the stand-in for the other service. Its connections end with the test. */
async function startStandIn(respond: RequestListener, server: Server = createServer()): Promise<{ server: Server; base: string }> {
  const sockets = new Set<Socket>();
  server.on("request", respond).on("connection", (socket) => void sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, base: `http://127.0.0.1:${portOf(server)}` };
}

/** Starts the client in front of an address, and returns where it listens. */
async function startInFront(address: string, options: Partial<UpstreamServerOptions> = {}): Promise<{ server: FastifyInstance; base: string }> {
  const config = { publicUrl: "http://127.0.0.1:4000", logLevel: "silent" as const, trustProxy: [], connectionsPerNetwork: 500 };
  const server = await createUpstreamServer({ config, upstream: parseUpstream(address), clientFolder: "/nowhere", ...options });
  await server.listen({ host: "127.0.0.1", port: 0 });
  closers.push(() => server.close());
  return { server, base: `http://127.0.0.1:${portOf(server.server)}` };
}

const startPair = async (respond: RequestListener, options?: Partial<UpstreamServerOptions>, path = "") => {
  const standIn = await startStandIn(respond);
  return { standIn, ...(await startInFront(standIn.base + path, options)) };
};

describe("a request", () => {
  it("arrives with its path, body and authorization at a base address with a path, and the response comes back unchanged", async () => {
    let seen: { url?: string | undefined; method?: string | undefined; headers: IncomingMessage["headers"]; body: string } | undefined;
    const { base, standIn } = await startPair(
      async (request, response) => {
        seen = { url: request.url, method: request.method, headers: request.headers, body: (await request.toArray()).join("") };
        response.writeHead(207, "Odd", { "Content-Type": "text/odd", ETag: '"1"', "Set-Cookie": ["a=1; Path=/", "b=2"] }).end("héllo");
      },
      {},
      "/deep/base/",
    );
    const reply = await sendRawRequest(base, ANONYMOUS, {
      method: "PATCH",
      path: "/api/v2/a%20b/c?x=1&y=%2F",
      headers: {
        authorization: "Bearer t",
        cookie: "talkback=ours; __Host-talkback=ours",
        "content-type": "application/merge-patch+json",
        "x-forwarded-for": "10.9.8.7",
      },
      body: Buffer.from('{"a":1}'),
    });
    expect(seen).toMatchObject({ url: "/deep/base/api/v2/a%20b/c?x=1&y=%2F", method: "PATCH", body: '{"a":1}' });
    expect(seen?.headers).toMatchObject({ authorization: "Bearer t", host: new URL(standIn.base).host, "content-type": "application/merge-patch+json" });
    expect(JSON.stringify(seen?.headers)).not.toMatch(/ours|10\.9\.8\.7|4000/);
    expect(reply).toMatchObject({ status: 207, text: "héllo", headers: { etag: '"1"', "content-type": "text/odd" } });
    expect(reply.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^upstream-\w+-a=1; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/-b=2; /),
    ]);
  });

  it("keeps the characters of its query that a URL would escape", async () => {
    const { base } = await startPair((request, response) => void response.end(request.url));
    const connection = connectRaw(base, "GET /v1/a?name='a'|{b}\\ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await connection.closed).toContain("/v1/a?name='a'|{b}\\");
  });

  it("for anything but the API never leaves this server, nor does a path that leaves the API", async () => {
    let count = 0;
    const { base } = await startPair((_request, response) => void ((count += 1), response.end()));
    for (const path of ["/docs", "/openapi.json", "/.well-known/oauth-authorization-server", "/v1x/a", "/V1/a"])
      expect((await sendRawRequest(base, ANONYMOUS, { method: "GET", path })).status, path).toBe(404);
    for (const path of ["/v1/../admin", "/api/v2/%2e%2e/admin", "/v1/..%5cadmin"]) {
      const connection = connectRaw(base, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(await connection.closed, path).toMatch(/^HTTP\/1.1 40[04] /);
    }
    for (const line of ["GET http://elsewhere.example/v1/a HTTP/1.1", "CONNECT elsewhere.example:443 HTTP/1.1"])
      expect(await connectRaw(base, `${line}\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n`).closed).not.toMatch(/^HTTP\/1.1 [23]/);
    expect(count).toBe(0);
  });

  it("is answered with the redirect of the other service, which is not followed", async () => {
    const paths: string[] = [];
    const { base } = await startPair((request, response) => {
      paths.push(request.url ?? "");
      response.writeHead(302, { Location: "https://elsewhere.example/callback?code=1" }).end();
    });
    const { status, headers } = await sendRawRequest(base, ANONYMOUS, { method: "GET", path: "/v1/a" });
    expect([status, headers.location, paths]).toEqual([302, "https://elsewhere.example/callback?code=1", ["/v1/a"]]);
  });

  it("for the client's settings says that the browser asks this server, and which service is behind it", async () => {
    const { base, standIn } = await startPair((_request, response) => void response.end());
    expect(await (await fetch(`${base}/config.json`)).json()).toEqual({ service_url: "", upstream: standIn.base });
  });
});

describe("a large body", () => {
  /** More than all buffers of the sockets between the two ends hold together. */
  const PLENTY = 64 * 1024 * 1024;
  const BUFFERED = 24 * 1024 * 1024;

  it("of a request waits for the other service instead of being stored, and arrives complete", async () => {
    const { promise: arrived, resolve: onArrived } = Promise.withResolvers<IncomingMessage>();
    const { base } = await startPair((request, response) => {
      onArrived(request.pause());
      request.on("end", () => response.end("stored"));
    });
    let sent = 0;
    const body = createByteStream(PLENTY).on("data", (chunk: Buffer) => void (sent += chunk.length));
    const replying = sendRawRequest(base, ANONYMOUS, { method: "PUT", path: "/v1/files/upload", headers: { "content-length": String(PLENTY) }, body });
    const request = await arrived;
    await waitUntilSteady(() => sent);
    expect(sent).toBeLessThan(BUFFERED);
    let received = 0;
    request.on("data", (chunk: Buffer) => void (received += chunk.length)).resume();
    expect((await replying).text).toBe("stored");
    expect(received).toBe(PLENTY);
  });

  it("of a response waits for the browser, with its range and length", async () => {
    let sent = 0;
    const { base } = await startPair((request, response) => {
      expect(request.headers.range).toBe(`bytes=0-${PLENTY - 1}`);
      response.writeHead(206, { "Content-Length": PLENTY, "Content-Range": `bytes 0-${PLENTY - 1}/${PLENTY * 2}` });
      createByteStream(PLENTY)
        .on("data", (chunk: Buffer) => void (sent += chunk.length))
        .pipe(response);
    });
    const request = httpRequest(`${base}/api/v2/files/1`, { headers: { range: `bytes=0-${PLENTY - 1}` } }).end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect([response.statusCode, response.headers["content-length"], response.headers["content-range"]]).toEqual([
      206,
      String(PLENTY),
      `bytes 0-${PLENTY - 1}/${PLENTY * 2}`,
    ]);
    await waitUntilSteady(() => sent);
    expect(sent).toBeLessThan(BUFFERED);
    let received = 0;
    for await (const chunk of response) received += (chunk as Buffer).length;
    expect(received).toBe(PLENTY);
  });

  it("that the other service refuses early does not hide its response", async () => {
    const { base } = await startPair(
      (_request, response) => void response.writeHead(413, { "Content-Type": "application/problem+json" }).end('{"status":413}'),
      { limits: { lingerMs: 50 } },
    );
    const reply = await sendRawRequest(base, ANONYMOUS, {
      method: "PUT",
      path: "/v1/files/upload",
      headers: { "content-length": String(PLENTY) },
      body: createByteStream(PLENTY),
    });
    expect(reply).toMatchObject({ status: 413, json: { status: 413 }, headers: { connection: "close" } });
  });
});

/** Waits until a count no longer changes. */
async function waitUntilSteady(read: () => number): Promise<void> {
  let [previous, unchanged] = [-1, 0];
  await waitUntil(() => {
    unchanged = read() === previous ? unchanged + 1 : 0;
    previous = read();
    return previous > 0 && unchanged > 20;
  }, "the transfer to stop");
}

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

describe("a failure", () => {
  const problemOf = async (base: string, path = "/v1/a") => {
    const { status, json, headers } = await sendRawRequest(base, ANONYMOUS, { method: "POST", path, body: Buffer.from("{}") });
    return { status, type: headers["content-type"], detail: (json as { detail: string }).detail };
  };

  it("to connect is a 502 with the address and the reason, and passes as soon as the service is back", async () => {
    const { server, base: address } = await startStandIn(() => {});
    const port = portOf(server);
    server.close();
    await once(server, "close");
    const { base } = await startInFront(address);
    expect(await problemOf(base)).toEqual({
      status: 502,
      type: expect.stringContaining("application/problem+json"),
      detail: `The service at ${address} cannot be reached: it refuses connections. Try again.`,
    });
    const revived = createServer((_request, response) => void response.end("back")).listen(port, "127.0.0.1");
    await once(revived, "listening");
    closers.push(() => revived.close());
    expect(await (await fetch(`${base}/v1/a`)).text()).toBe("back");
  });

  it("of the certificate is a 502, and no request is sent", async () => {
    let count = 0;
    const { server } = await startStandIn(() => (count += 1), createTlsServer(createCertificate("service.example")));
    const { base } = await startInFront(`https://127.0.0.1:${portOf(server)}`);
    expect(await problemOf(base)).toMatchObject({ status: 502, detail: expect.stringContaining("its certificate is not valid") });
    expect(count).toBe(0);
  });

  it("to respond in time is a 504", async () => {
    const { base } = await startPair(() => {}, { limits: { responseMs: 50 } });
    expect(await problemOf(base)).toMatchObject({ status: 504, detail: expect.stringContaining("did not answer in time") });
  });

  it("never cuts a body that takes longer than a response may", async () => {
    const { base } = await startPair(async (request, response) => void response.end(String((await request.toArray()).join("").length)), {
      limits: { responseMs: 40 },
    });
    const body = createByteStream(6, 1);
    const slow = (async function* () {
      for await (const chunk of body) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        yield chunk as Buffer;
      }
    })();
    expect((await sendRawRequest(base, ANONYMOUS, { method: "PUT", path: "/v1/files/upload", body: Readable.from(slow) })).text).toBe("6");
  });

  it.each([
    ["with a length", { "Content-Length": "1000" }],
    ["without a length", {}],
  ])("in the middle of a response %s breaks the connection, so that it does not look complete", async (_title, headers) => {
    const { base } = await startPair((_request, response) => {
      response.writeHead(200, headers as Record<string, string>).write("half");
      setImmediate(() => response.socket?.destroy());
    });
    const response = await fetch(`${base}/api/v2/files/1`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it("of the browser ends the request to the other service", async () => {
    const { promise: started, resolve: onStarted } = Promise.withResolvers<IncomingMessage>();
    const { base } = await startPair((request) => onStarted(request));
    const controller = new AbortController();
    const request = fetch(`${base}/v1/a`, { signal: controller.signal }).catch(() => "aborted");
    const { socket } = await started;
    const closed = once(socket, "close");
    controller.abort();
    expect(await request).toBe("aborted");
    await closed;
  });

  it("by a service that is this client itself is a 502 instead of an endless loop", async () => {
    const { server } = await startStandIn(() => {});
    const port = portOf(server);
    server.close();
    await once(server, "close");
    const front = await createUpstreamServer({
      config: { publicUrl: "http://127.0.0.1:4000", logLevel: "silent", trustProxy: [], connectionsPerNetwork: 500 },
      upstream: parseUpstream(`http://127.0.0.1:${port}`),
      clientFolder: "/nowhere",
    });
    await front.listen({ host: "127.0.0.1", port });
    closers.push(() => front.close());
    expect(await problemOf(`http://127.0.0.1:${port}`)).toMatchObject({ status: 502, detail: expect.stringContaining("leads back to this address") });
  });
});

describe("a WebSocket", () => {
  async function startSocketPair() {
    const sockets = new WebSocketServer({ noServer: true });
    const standIn = await startStandIn((_request, response) => void response.end());
    const accepted: { socket: WebSocket; request: IncomingMessage }[] = [];
    standIn.server.on("upgrade", (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (accepting) => void accepted.push({ socket: accepting, request })),
    );
    const { base, server } = await startInFront(standIn.base);
    const open = async (headers: Record<string, string> = {}) => {
      const socket = new WebSocket(`${base.replace("http", "ws")}/api/v2/live?ticket=1`, { headers });
      await once(socket, "open");
      await waitUntil(() => accepted.length > 0, "the upgrade");
      const { socket: other, request } = accepted.at(-1) ?? expect.fail();
      return { socket, other, request };
    };
    return { open, server, standIn };
  }

  it("passes frames of both kinds and directions, and the close codes of both sides", async () => {
    const { open } = await startSocketPair();
    const { socket, other, request } = await open({ authorization: "Bearer t", cookie: "talkback=ours" });
    expect(request.url).toBe("/api/v2/live?ticket=1");
    expect(request.headers.authorization).toBe("Bearer t");
    expect(request.headers.cookie).toBeUndefined();
    other.on("message", (data, isBinary) => other.send(data, { binary: isBinary }));
    for (const payload of ["text", Buffer.alloc(300_000, 7)]) {
      const echo = once(socket, "message");
      socket.send(payload);
      expect(await echo).toEqual([Buffer.from(payload), typeof payload !== "string"]);
    }
    const closedByService = once(socket, "close");
    other.close(4401, "signed out");
    expect(await closedByService).toEqual([4401, Buffer.from("signed out")]);

    const second = await open();
    const closedByBrowser = once(second.other, "close");
    second.socket.close(4000, "bye");
    expect(await closedByBrowser).toEqual([4000, Buffer.from("bye")]);
  });

  it("ends on both sides when one of them is lost, or this server stops", async () => {
    const { open, server } = await startSocketPair();
    const first = await open();
    const lost = once(first.socket, "close");
    first.other.terminate();
    expect((await lost)[0]).toBe(1006);
    const second = await open();
    const gone = once(second.other, "close");
    second.socket.terminate();
    expect((await gone)[0]).toBe(1006);
    const third = await open();
    const stopped = Promise.all([once(third.socket, "close"), once(third.other, "close")]);
    await server.close();
    expect((await stopped).map(([code]) => code as number)).toEqual([1006, 1006]);
  });

  it("to another path, or while the service is down, is refused", async () => {
    const { server, standIn } = await startSocketPair();
    expect((await openRejectedSocket(server, {}, "", "/docs/live")).status).toBe(404);
    standIn.server.close();
    standIn.server.closeAllConnections();
    expect(await openRejectedSocket(server, {})).toMatchObject({ status: 502, body: { object: "error", status: 502 } });
  });
});

describe("in front of a real service", () => {
  let testApp: TestApp;
  let owner: Person;
  let address: string;
  let team: number;
  beforeAll(async () => {
    testApp = await startTestApp("sqlite");
    owner = await setUpOwner(testApp);
    team = (await testApp.call(owner, listTeams, { body: {} })).response.data[0]?.id ?? 0;
    address = await listen(testApp);
  });
  afterAll(() => testApp.close());

  it("people sign in, write and get live events, by cookies that only this client's page can use", async () => {
    const { base, server } = await startInFront(address);
    const page = { origin: base, "sec-fetch-site": "same-origin", "content-type": "application/json" };
    const signedIn = await fetch(`${base}/api/v2/session`, { method: "POST", headers: page, body: JSON.stringify({ login: owner.email, password: PASSWORD }) });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^upstream-\w+-talkback=/);
    const createProject = (headers: Record<string, string>) =>
      fetch(`${base}/v1/account/projects/create`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ name: "Through", team_id: team }),
      });
    const created = await createProject({ ...page, cookie });
    expect(created.status).toBe(200);
    const { id } = ((await created.json()) as { data: { id: number } }).data;
    expect((await createProject({ cookie, origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" })).status).toBe(401);

    const socket = await openSocket(server, { headers: { cookie, origin: "http://127.0.0.1:4000" } });
    await socket.subscribe(`project:${id}`);
    await fetch(`${base}/v1/account/projects/chat_message`, {
      method: "POST",
      headers: { ...page, cookie },
      body: JSON.stringify({ project_id: id, body: "hello" }),
    });
    await waitUntil(() => socket.events(`project:${id}`).some(({ type }) => type === "message.created"), "the event");
    const refused = await openRejectedSocket(server, { cookie, origin: "http://evil.example" });
    expect(refused).toMatchObject({ status: 401, body: { status: 401 } });
    await fetch(`${base}/api/v2/session`, { method: "DELETE", headers: { ...page, cookie } });
    expect(await socket.waitUntilClosed()).toBe(4401);
  });

  it("tus uploads stay with this client, and downloads have ranges", async () => {
    const { base } = await startInFront(address);
    const { headers } = await createApiToken(testApp, owner);
    const project = (await (
      await fetch(`${base}/v1/account/projects/create`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ name: "Tus", team_id: team }),
      })
    ).json()) as { data: { root_folder_id: number } };
    const metadata = `name ${btoa("a.bin")},parent_id ${btoa(String(project.data.root_folder_id))}`;
    const created = await fetch(`${base}/api/v2/uploads`, {
      method: "POST",
      headers: { ...headers, "tus-resumable": "1.0.0", "upload-length": "10", "upload-metadata": metadata },
    });
    expect(created.status).toBe(201);
    const location = new URL(created.headers.get("location") ?? "", base);
    expect(location.origin).toBe(base);
    const patch = (offset: number, body: string) =>
      fetch(location, {
        method: "PATCH",
        headers: { ...headers, "tus-resumable": "1.0.0", "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
        body,
      });
    expect((await patch(0, "01234")).status).toBe(204);
    const done = (await (await patch(5, "56789")).json()) as { file_id: number };
    const bytes = await fetch(`${base}/api/v2/files/${done.file_id}/versions/1/original`, { headers: { ...headers, range: "bytes=2-4" } });
    expect([bytes.status, await bytes.text()]).toEqual([206, "234"]);
  });
});

it("serves the client with the same security headers as the service does", async () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-client-"));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<p>client</p>");
  const { base, standIn } = await startPair((_request, response) => void response.end(), { clientFolder: folder });
  for (const path of ["/", "/projects/7"]) {
    const response = await fetch(base + path);
    expect(await response.text()).toBe("<p>client</p>");
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'.*connect-src 'self'(;|$)/);
    expect(policy).toContain(`media-src 'self' ${standIn.base}`);
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  }
});
