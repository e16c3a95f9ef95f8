/** Forwards requests over real sockets to a stand-in that misbehaves. */
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { createCertificate } from "../testing/certificate.ts";
import { ANONYMOUS } from "../testing/client.ts";
import { waitUntil } from "../testing/live.ts";
import { connectRaw, createByteStream, sendRawRequest } from "../testing/raw-socket.ts";
import { closeAll, closers, portOf, startInFront, startPair, startStandIn } from "../testing/upstream.ts";
import { parseUpstream } from "./address.ts";
import { createUpstreamServer } from "./server.ts";

afterEach(closeAll);

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
    // With a token, files of any path below the base address are forwarded, and nothing else.
    for (const target of ["http://elsewhere.example/v1/a", "http://elsewhere.example/a.wav", "/../admin", "/%2e%2e/admin", "*"]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n`;
      expect(await connectRaw(base, head).closed, target).toMatch(/^HTTP\/1.1 40[04] /);
    }
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
    expect(await problemOf(base)).toMatchObject({ status: 504, detail: expect.stringContaining("did not respond in time") });
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
