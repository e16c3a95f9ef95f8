/** Tests the fetcher against a local TLS server with a self-signed certificate; a fake resolver maps files.test to it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HttpError } from "../lib/errors.ts";
import { createCertificate } from "../testing/certificate.ts";
import { createFileFetcher, type FileFetcher } from "./fetch-file.ts";
import { createGuard } from "./guard.ts";
import type { Resolve } from "./resolver.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let ca: string;
let server: Server;
let port: number;
let handlers: Record<string, Handler> = {};
let requests: string[] = [];
/** Returns the addresses of "files.test"; called for each connection. */
let addresses: () => string[];
let fetcher: FileFetcher;

beforeAll(async () => {
  const { key, cert } = createCertificate("files.test");
  ca = cert;
  server = createServer({ key, cert }, (request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    (handlers[request.url ?? ""] ?? ((_, reply) => reply.writeHead(404).end("nothing")))(request, response);
  });
  server.on("clientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const lookUp: Resolve = (hostname, _options, callback) => {
  if (hostname !== "files.test") return callback(Object.assign(new Error("not known"), { code: "ENOTFOUND" }), []);
  callback(
    null,
    addresses().map((address) => ({ address, family: 4 })),
  );
};
/** Opens a fetcher that may reach only 127.0.0.1, as if an operator had allowed that network; "files.test" resolves to it. */
const openFetcher = (options: object = {}) =>
  createFileFetcher(createGuard({ allowHttp: false, allowCidrs: ["127.0.0.1/32"] }, lookUp), { ca, idleMs: 400, totalMs: 1_500, ...options });

beforeEach(() => {
  handlers = {};
  requests = [];
  addresses = () => ["127.0.0.1"];
  fetcher = openFetcher();
});
afterEach(() => fetcher.close());

const urlFor = (path: string): string => `https://files.test:${port}${path}`;
const fetchContent = async (address: string): Promise<{ text: string; bytes: number | undefined; fileName: string }> => {
  const { body, bytes, fileName, end } = await fetcher.fetch(address);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } finally {
    end();
  }
  return { text: Buffer.concat(chunks).toString(), bytes, fileName };
};
/** Asserts that the fetch fails with a 400 that reveals no internal details, and returns the message. */
async function fetchFailure(address: string): Promise<string> {
  const thrown: unknown = await fetchContent(address).then(
    ({ text }) => expect.unreachable(text),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(HttpError);
  const { status, message } = thrown as HttpError;
  expect(status).toBe(400);
  expect(message).not.toMatch(/127\.|10\.0|ECONN|UND_|node:|\/tmp/);
  return message;
}

describe("a file from another server", () => {
  test("is returned with its length and the name from its URL", async () => {
    handlers["/takes/take%20%C3%A9.wav?x=1"] = (_, response) => response.end("sound");
    expect(await fetchContent(urlFor("/takes/take%20%C3%A9.wav?x=1"))).toEqual({ text: "sound", bytes: 5, fileName: "take é.wav" });
  });
  test("is requested without compression and without other headers of the service", async () => {
    let headers: IncomingMessage["headers"] = {};
    handlers["/x"] = (request, response) => {
      ({ headers } = request);
      response.write("chunked");
      response.end();
    };
    expect((await fetchContent(urlFor("/x"))).bytes).toBeUndefined();
    expect(Object.keys(headers).sort()).toEqual(["accept-encoding", "connection", "host", "user-agent"].filter((name) => name in headers));
    expect(headers["accept-encoding"]).toBe("identity");
  });
  test("has no name if its URL has none or a malformed one", async () => {
    handlers["/"] = handlers["/%ff"] = (_, response) => response.end("x");
    expect((await fetchContent(urlFor("/"))).fileName).toBe("");
    expect((await fetchContent(urlFor("/%ff"))).fileName).toBe("");
  });
});

describe("redirects", () => {
  const redirectTo =
    (location: string, status = 302): Handler =>
    (_, response) =>
      response.writeHead(status, { location }).end("moved ".repeat(1_000));
  test.each([301, 302, 303, 307, 308])("a %i redirect is followed", async (status) => {
    handlers["/a"] = redirectTo("/b/c.wav#t=5", status);
    handlers["/b/c.wav"] = (_, response) => response.end("there");
    expect(await fetchContent(urlFor("/a"))).toMatchObject({ text: "there", fileName: "c.wav" });
  });
  test("five redirects are followed, six are not", async () => {
    for (let hop = 0; hop < 9; hop += 1) handlers[`/${hop}`] = redirectTo(`/${hop + 1}`);
    handlers["/9"] = (_, response) => response.end("end");
    expect((await fetchContent(urlFor("/4"))).text).toBe("end");
    expect(await fetchFailure(urlFor("/3"))).toBe("url: redirects too often");
  });
  test.each([
    ["https://10.0.0.1/secret", "must be a public address"],
    ["https://169.254.169.254/latest/meta-data", "must be a public address"],
    ["https://[::1]/", "must be a public address"],
    ["http://files.test/plain", "must start with https://"],
    ["file:///etc/passwd", "must start with https://"],
    ["https://user:secret@files.test/", "must not contain a username or password"],
    ["https://", "redirects to an invalid address"],
  ])("a redirect to %s is rejected without a request", async (location, reason) => {
    handlers["/a"] = redirectTo(location);
    expect(await fetchFailure(urlFor("/a"))).toBe(`url: ${reason}`);
    expect(requests).toEqual([`files.test:${port} /a`]);
  });
  test("a redirect status without a location is an error response", async () => {
    handlers["/a"] = (_, response) => response.writeHead(304).end();
    expect(await fetchFailure(urlFor("/a"))).toBe("url: responded with status 304");
  });
});

describe("a host name", () => {
  test("is checked at each connection, and rejected once it resolves to an internal address", async () => {
    const guard = createGuard({ allowHttp: false, allowCidrs: ["127.0.0.1/32"] }, lookUp);
    await fetcher.close();
    fetcher = createFileFetcher(guard, { ca, idleMs: 400 });
    handlers["/a"] = (_, response) => {
      addresses = () => ["10.0.0.1"];
      response.writeHead(302, { location: "/b", connection: "close" }).end();
    };
    handlers["/b"] = (_, response) => response.end("secret");
    expect(await fetchFailure(urlFor("/a"))).toBe("url: must be a public address");
    expect(requests).toHaveLength(1);
  });
  test.each<[string, string[]]>([
    ["only internal", ["192.168.0.5"]],
    ["public and internal together", ["127.0.0.1", "10.0.0.1"]],
    ["no", []],
  ])("with %s addresses is rejected before anything is sent", async (_title, resolved) => {
    addresses = () => resolved;
    expect(await fetchFailure(urlFor("/a"))).toBe("url: must be a public address");
    expect(requests).toEqual([]);
  });
  test("that does not exist is reported", async () => {
    expect(await fetchFailure("https://nowhere.test/x")).toBe("url: has an unknown host name");
  });
});

describe("failures of the other server", () => {
  test.each([404, 401, 500, 206, 204])("reports status %i", async (status) => {
    handlers["/x"] = (_, response) => response.writeHead(status).end();
    expect(await fetchFailure(urlFor("/x"))).toBe(`url: responded with status ${status}`);
  });
  test("reports an untrusted certificate", async () => {
    await fetcher.close();
    fetcher = openFetcher({ ca: undefined });
    expect(await fetchFailure(urlFor("/x"))).toBe("url: has no valid certificate");
    expect(requests).toEqual([]);
  });
  test("reports a certificate for another name", async () => {
    expect(await fetchFailure(`https://127.0.0.1:${port}/x`)).toBe("url: has no valid certificate");
  });
  test("reports a refused connection", async () => {
    expect(await fetchFailure("https://files.test:1/x")).toBe("url: refused the connection");
  });
  test("reports a missing response", async () => {
    handlers["/x"] = () => {};
    expect(await fetchFailure(urlFor("/x"))).toBe("url: did not respond in time");
  });
  test("reports a response that stalls midway", async () => {
    handlers["/x"] = (_, response) => void response.writeHead(200, { "content-length": "100" }).write("half");
    expect(await fetchFailure(urlFor("/x"))).toBe("url: took too long to send the file");
  });
  test("reports a response that trickles endlessly", async () => {
    handlers["/x"] = (_, response) => {
      const drip = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(drip));
    };
    expect(await fetchFailure(urlFor("/x"))).toBe("url: took too long to send the file");
  });
  test("reports a dropped connection", async () => {
    handlers["/x"] = (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => response.socket?.destroy(), 50);
    };
    // Which of the two messages appears depends on how the end of the connection is detected.
    expect(await fetchFailure(urlFor("/x"))).toMatch(/^url: (closed the connection before the file was complete|sent a different size than it declared)$/);
  });
  test("reports a compressed response", async () => {
    handlers["/x"] = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("zip");
    expect(await fetchFailure(urlFor("/x"))).toMatch(/compressed/);
  });
  test("closes the connection when the reader stops", async () => {
    let closed = false;
    handlers["/x"] = (_, response) => {
      response.on("close", () => (closed = true));
      const flood = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once("drain", flood);
      };
      flood();
    };
    const { body, end } = await fetcher.fetch(urlFor("/x"));
    for await (const _ of body) break;
    end();
    for (let tries = 0; !closed && tries < 100; tries += 1) await sleep(10);
    expect(closed).toBe(true);
  });
});
