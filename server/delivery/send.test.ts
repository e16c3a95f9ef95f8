/** Tests the sender against misbehaving receivers, with a short deadline to keep the tests fast. */
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { createCertificate } from "../testing/certificate.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { createGuard } from "./guard.ts";
import type { Resolve } from "./resolver.ts";
import type { AttemptResult } from "./guarded-post.ts";
import { createSender, type DeliveryRequest, type Sender } from "./send.ts";

const DEADLINE = 600;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"object":"event","id":"e1","type":"file.renamed","data":{"name":"Fähre 🎛.wav"}}';
const LOCAL = { allowHttp: true, allowCidrs: ["127.0.0.0/8"] };

let receiver: Receiver;
let sender: Sender;
beforeAll(async () => void (receiver = await startReceiver()));
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.requests.length = 0;
  sender = createSender(createGuard(LOCAL), { clock: systemClock, deadlineMs: DEADLINE });
});
afterEach(() => sender.close());

const noAbort = new AbortController().signal;
const newRequest = (url: string): DeliveryRequest => ({ url, id: "e1", body, secrets: [secret] });
const sendTo = (path: string, signal = noAbort): Promise<AttemptResult> => sender.send(newRequest(`${receiver.base}${path}`), signal);

describe("an attempt", () => {
  test("sends body, content type and signature, and no other headers of the service", async () => {
    const result = await sendTo("/ok");
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: "POST", body });
    expect(new Webhook(secret).verify(request!.body, request!.headers)).toEqual(JSON.parse(body));
    expect(Object.keys(request!.headers).sort()).toEqual(
      ["accept-encoding", "connection", "content-length", "content-type", "host", "user-agent", "webhook-id", "webhook-signature", "webhook-timestamp"].sort(),
    );
    expect(request!.headers["accept-encoding"]).toBe("identity");
    expect(result).toMatchObject({ outcome: "ok", status: 200, responseBody: '{"received":true}', retryAfterMs: null });
    expect(result.responseHeaders).toMatchObject({ "content-type": "application/json" });
    expect(request!.headers).toMatchObject(result.requestHeaders);
  });
  test("reuses an open connection", async () => {
    const ports = new Set<number | undefined>();
    receiver.handlers["/port"] = (response, _got, request) => {
      ports.add(request.socket.remotePort);
      response.end();
    };
    for (let count = 0; count < 10; count += 1) await sendTo("/port");
    // A second connection opens when the first is not quite free yet.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
  test.each<[string, Partial<AttemptResult>]>([
    ["empty", { outcome: "ok", status: 204, responseBody: "" }],
    ["hang", { outcome: "timeout", status: null, responseHeaders: null, responseBody: null }],
    ["slow-headers", { outcome: "timeout", status: null }],
    ["drip", { outcome: "timeout", status: 200 }],
    ["endless-103", { outcome: "timeout", status: null }],
    ["reset", { outcome: "reset", status: null }],
    ["reset-in-body", { outcome: "reset", status: 200 }],
    ["ends-early", { outcome: "reset", status: null }],
    ["moved", { outcome: "redirect", status: 301 }],
    ["gone", { outcome: "http", status: 410 }],
    ["busy", { outcome: "http", status: 429, retryAfterMs: 120_000, responseBody: "later" }],
    ["broken", { outcome: "http", status: 500, responseBody: "Something \u{FFFD} failed", retryAfterMs: null }],
    ["broken-drip", { outcome: "http", status: 500, responseBody: expect.stringMatching(/^oh/) }],
    ["large-header", { outcome: "headers_too_large", status: null }],
    ["no-http", { outcome: "protocol", status: null }],
    ["upgrade", { outcome: "protocol", status: null }],
  ])("reports the result of /%s", async (path, expected) => {
    const result = await sendTo(`/${path}`);
    expect(result).toMatchObject(expected);
    expect(result.duration).toBeLessThan(DEADLINE + 5_000);
    if (expected.outcome === "timeout") expect(result.duration).toBeGreaterThanOrEqual(DEADLINE - 20);
    expect(receiver.requests.map(({ path: requestPath }) => requestPath)).toEqual([`/${path}`]);
    // The next request is not affected.
    expect(await sendTo("/ok")).toMatchObject({ outcome: "ok" });
  });
  test("honors a date in Retry-After", async () => {
    const { retryAfterMs } = await sendTo("/unavailable");
    expect(retryAfterMs).toBeGreaterThan(590_000);
    expect(retryAfterMs).toBeLessThan(601_000);
  });
  test("reads 2 KiB of an endless body in whole characters and closes the connection", async () => {
    let closed = false;
    const flood = receiver.handlers["/endless-body"]!;
    receiver.handlers["/flood"] = (response, got, request) => {
      response.on("close", () => (closed = true));
      return flood(response, got, request);
    };
    const result = await sendTo("/flood");
    expect(result).toMatchObject({ outcome: "ok", status: 200, responseBody: "é".repeat(1_024) });
    for (let tries = 0; !closed && tries < 100; tries += 1) await sleep(10);
    expect(closed).toBe(true);
  });
  test("returns at once when it is aborted", async () => {
    const stopping = new AbortController();
    const pendingResult = sendTo("/hang", stopping.signal);
    await receiver.waitForRequests(1);
    stopping.abort();
    expect(await pendingResult).toMatchObject({ outcome: "interrupted", status: null });
    expect((await sendTo("/ok", stopping.signal)).outcome).toBe("interrupted");
    await sleep(20);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("unreachable receivers", () => {
  test("reports a refused connection", async () => {
    expect(await sender.send(newRequest("http://127.0.0.1:1/"), noAbort)).toMatchObject({ outcome: "refused", status: null });
  });
  test("reports an unknown host name", async () => {
    expect(await sender.send(newRequest("https://nowhere.invalid/"), noAbort)).toMatchObject({ outcome: "dns" });
  });
  test("times out while connecting and does not use the connection later", async () => {
    await sender.close();
    const pending: (() => void)[] = [];
    const slowResolve: Resolve = (_hostname, _options, callback) => void pending.push(() => callback(null, [{ address: "127.0.0.1", family: 4 }]));
    sender = createSender(createGuard(LOCAL, slowResolve), { clock: systemClock, deadlineMs: DEADLINE });
    expect(await sender.send(newRequest(`http://slow.test:${receiver.port}/late`), noAbort)).toMatchObject({ outcome: "timeout" });
    for (const release of pending) release();
    await sleep(100);
    expect(receiver.requests).toEqual([]);
  });
});

describe("TLS", () => {
  let tlsReceiver: Receiver;
  let certificate: { key: string; cert: string };
  beforeAll(async () => {
    certificate = createCertificate("hooks.test");
    tlsReceiver = await startReceiver(certificate);
  });
  afterAll(() => tlsReceiver.close());
  const lookUp: Resolve = (_hostname, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);
  const openSender = (ca?: string) =>
    createSender(createGuard({ allowHttp: false, allowCidrs: ["127.0.0.1"] }, lookUp), { clock: systemClock, deadlineMs: DEADLINE, ...(ca ? { ca } : {}) });
  const sendWith = async (url: string, ca?: string): Promise<AttemptResult> => {
    await sender.close();
    sender = openSender(ca);
    return sender.send(newRequest(url), noAbort);
  };

  test("accepts a trusted certificate", async () => {
    expect(await sendWith(`https://hooks.test:${tlsReceiver.port}/`, certificate.cert)).toMatchObject({ outcome: "ok", status: 200 });
  });
  test("rejects an untrusted certificate", async () => {
    expect(await sendWith(`https://hooks.test:${tlsReceiver.port}/`)).toMatchObject({ outcome: "tls", status: null });
  });
  test("rejects a certificate for another name", async () => {
    expect(await sendWith(`https://other.test:${tlsReceiver.port}/`, certificate.cert)).toMatchObject({ outcome: "tls" });
  });
  test("rejects a receiver without TLS", async () => {
    expect(await sendWith(`https://hooks.test:${receiver.port}/`)).toMatchObject({ outcome: "tls" });
  });
  test("rejects http unless the operator allows it", async () => {
    expect(await sendWith(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ outcome: "address_not_allowed" });
  });
});

describe("blocks internal addresses", () => {
  /** Asserts that the URL is blocked before any connection is opened. */
  async function expectBlocked(url: string, addresses: string[]): Promise<void> {
    let connections = 0;
    const trapServer = createServer(() => void (connections += 1)).listen(0, "127.0.0.1");
    await new Promise((resolve) => trapServer.once("listening", resolve));
    const { port } = trapServer.address() as AddressInfo;
    const lookUp: Resolve = (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    await sender.close();
    sender = createSender(createGuard({ allowHttp: true, allowCidrs: [] }, lookUp), { clock: systemClock, deadlineMs: DEADLINE });
    expect(await sender.send(newRequest(url.replace("PORT", String(port))), noAbort)).toMatchObject({
      outcome: "address_not_allowed",
      status: null,
      responseBody: null,
    });
    expect(connections).toBe(0);
    trapServer.close();
  }
  test.each([
    "http://127.0.0.1:PORT/",
    "http://0x7f000001:PORT/",
    "http://127.1:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::1]:PORT/",
    "http://169.254.169.254/",
  ])("in %s", (url) => expectBlocked(url, []));
  test("that a name resolves to", () => expectBlocked("http://inside.test:PORT/", ["127.0.0.1"]));
  test("that a name resolves to beside a public one", () => expectBlocked("http://mixed.test:PORT/", ["93.184.215.14", "127.0.0.1"]));
  test("that a name resolves to only on the second attempt", async () => {
    let address = "127.0.0.1";
    const lookUp: Resolve = (_hostname, _options, callback) => callback(null, [{ address, family: 4 }]);
    await sender.close();
    sender = createSender(createGuard({ allowHttp: true, allowCidrs: ["127.0.0.1/32"] }, lookUp), { clock: systemClock, deadlineMs: DEADLINE });
    receiver.handlers["/once"] = (response) => response.writeHead(200, { connection: "close" }).end();
    const url = `http://turns.test:${receiver.port}/once`;
    expect(await sender.send(newRequest(url), noAbort)).toMatchObject({ outcome: "ok" });
    address = "10.0.0.1";
    expect(await sender.send(newRequest(url), noAbort)).toMatchObject({ outcome: "address_not_allowed" });
    expect(receiver.requests).toHaveLength(1);
  });
  test("of a connected peer that was not looked up", async () => {
    // Simulates a bypassed lookup: the check of the connected peer must still apply.
    const openGuard = createGuard({ allowHttp: true, allowCidrs: ["127.0.0.0/8"] });
    const closedGuard = createGuard({ allowHttp: true, allowCidrs: [] });
    await sender.close();
    sender = createSender({ ...openGuard, canReach: closedGuard.canReach }, { clock: systemClock, deadlineMs: DEADLINE });
    expect(await sendTo("/ok")).toMatchObject({ outcome: "address_not_allowed" });
    expect(receiver.requests).toEqual([]);
  });
});
