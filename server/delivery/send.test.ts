/** Receivers that answer as badly as they can; the deadline is short so that the tests are. */
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { newCertificate } from "../testing/certificate.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { createGuard } from "./guard.ts";
import type { Resolve } from "./names.ts";
import { createSender, type Letter, type Sender, type Tried } from "./send.ts";

const DEADLINE = 600;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"object":"event","id":"e1","type":"file.renamed","data":{"name":"Fähre 🎛.wav"}}';
const LOCAL = { allowHttp: true, allowCidrs: ["127.0.0.0/8"] };

let receiver: Receiver;
let sender: Sender;
beforeAll(async () => void (receiver = await startReceiver()));
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.got.length = 0;
  sender = createSender(createGuard(LOCAL), { clock: systemClock, deadlineMs: DEADLINE });
});
afterEach(() => sender.close());

const never = new AbortController().signal;
const letter = (url: string): Letter => ({ url, id: "e1", body, secrets: [secret] });
const to = (path: string, signal = never): Promise<Tried> => sender.send(letter(`${receiver.base}${path}`), signal);

describe("a try", () => {
  test("carries body, type and signature, and nothing of ours", async () => {
    const tried = await to("/ok");
    const [got] = receiver.got;
    expect(got).toMatchObject({ method: "POST", body });
    expect(new Webhook(secret).verify(got!.body, got!.headers)).toEqual(JSON.parse(body));
    expect(Object.keys(got!.headers).sort()).toEqual(
      ["accept-encoding", "connection", "content-length", "content-type", "host", "user-agent", "webhook-id", "webhook-signature", "webhook-timestamp"].sort(),
    );
    expect(got!.headers["accept-encoding"]).toBe("identity");
    expect(tried).toMatchObject({ outcome: "ok", status: 200, responseBody: '{"received":true}', wish: null });
    expect(tried.responseHeaders).toMatchObject({ "content-type": "application/json" });
    expect(got!.headers).toMatchObject(tried.requestHeaders);
  });
  test("goes over a connection that stands", async () => {
    const ports = new Set<number | undefined>();
    receiver.answers["/port"] = (response, _got, request) => {
      ports.add(request.socket.remotePort);
      response.end();
    };
    for (let count = 0; count < 10; count += 1) await to("/port");
    // A second one is made where the first is not quite free yet.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
  test.each<[string, Partial<Tried>]>([
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
    ["busy", { outcome: "http", status: 429, wish: 120_000, responseBody: "later" }],
    ["broken", { outcome: "http", status: 500, responseBody: "Something \u{FFFD} failed", wish: null }],
    ["broken-drip", { outcome: "http", status: 500, responseBody: expect.stringMatching(/^oh/) }],
    ["large-header", { outcome: "headers_too_large", status: null }],
    ["no-http", { outcome: "protocol", status: null }],
    ["upgrade", { outcome: "protocol", status: null }],
  ])("at %s", async (path, expected) => {
    const tried = await to(`/${path}`);
    expect(tried).toMatchObject(expected);
    expect(tried.duration).toBeLessThan(DEADLINE + 5_000);
    if (expected.outcome === "timeout") expect(tried.duration).toBeGreaterThanOrEqual(DEADLINE - 20);
    expect(receiver.got.map(({ path: asked }) => asked)).toEqual([`/${path}`]);
    // The next one is not harmed.
    expect(await to("/ok")).toMatchObject({ outcome: "ok" });
  });
  test("honors a date in Retry-After", async () => {
    const { wish } = await to("/unavailable");
    expect(wish).toBeGreaterThan(590_000);
    expect(wish).toBeLessThan(601_000);
  });
  test("reads 2 KiB of an endless body, whole letters, and lets go of the connection", async () => {
    let closed = false;
    const flood = receiver.answers["/endless-body"]!;
    receiver.answers["/flood"] = (response, got, request) => {
      response.on("close", () => (closed = true));
      return flood(response, got, request);
    };
    const tried = await to("/flood");
    expect(tried).toMatchObject({ outcome: "ok", status: 200, responseBody: "é".repeat(1_024) });
    for (let tries = 0; !closed && tries < 100; tries += 1) await sleep(10);
    expect(closed).toBe(true);
  });
  test("that is stopped says so at once", async () => {
    const stopping = new AbortController();
    const trying = to("/hang", stopping.signal);
    await receiver.until(1);
    stopping.abort();
    expect(await trying).toMatchObject({ outcome: "interrupted", status: null });
    expect((await to("/ok", stopping.signal)).outcome).toBe("interrupted");
    await sleep(20);
    expect(receiver.got).toHaveLength(1);
  });
});

describe("where no answer can come", () => {
  test("nobody listens", async () => {
    expect(await sender.send(letter("http://127.0.0.1:1/"), never)).toMatchObject({ outcome: "refused", status: null });
  });
  test("the name is not known", async () => {
    expect(await sender.send(letter("https://nowhere.invalid/"), never)).toMatchObject({ outcome: "dns" });
  });
  test("a connection that nobody takes up ends in time, and is not used later", async () => {
    await sender.close();
    const pending: (() => void)[] = [];
    const slow: Resolve = (_hostname, _options, callback) => void pending.push(() => callback(null, [{ address: "127.0.0.1", family: 4 }]));
    sender = createSender(createGuard(LOCAL, slow), { clock: systemClock, deadlineMs: DEADLINE });
    expect(await sender.send(letter(`http://slow.test:${receiver.port}/late`), never)).toMatchObject({ outcome: "timeout" });
    for (const go of pending) go();
    await sleep(100);
    expect(receiver.got).toEqual([]);
  });
});

describe("TLS", () => {
  let secure: Receiver;
  let certificate: { key: string; cert: string };
  beforeAll(async () => {
    certificate = newCertificate("hooks.test");
    secure = await startReceiver(certificate);
  });
  afterAll(() => secure.close());
  const lookUp: Resolve = (_hostname, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);
  const open = (ca?: string) =>
    createSender(createGuard({ allowHttp: false, allowCidrs: ["127.0.0.1"] }, lookUp), { clock: systemClock, deadlineMs: DEADLINE, ...(ca ? { ca } : {}) });
  const attempt = async (url: string, ca?: string): Promise<Tried> => {
    await sender.close();
    sender = open(ca);
    return sender.send(letter(url), never);
  };

  test("with a certificate that is trusted", async () => {
    expect(await attempt(`https://hooks.test:${secure.port}/`, certificate.cert)).toMatchObject({ outcome: "ok", status: 200 });
  });
  test("with one that nobody vouches for", async () => {
    expect(await attempt(`https://hooks.test:${secure.port}/`)).toMatchObject({ outcome: "tls", status: null });
  });
  test("with another name's", async () => {
    expect(await attempt(`https://other.test:${secure.port}/`, certificate.cert)).toMatchObject({ outcome: "tls" });
  });
  test("with a receiver that speaks none", async () => {
    expect(await attempt(`https://hooks.test:${receiver.port}/`)).toMatchObject({ outcome: "tls" });
  });
  test("http is not allowed where the operator did not allow it", async () => {
    expect(await attempt(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ outcome: "address_not_allowed" });
  });
});

describe("internal addresses", () => {
  /** Not even a connection is made. */
  async function refuses(url: string, addresses: string[]): Promise<void> {
    let connections = 0;
    const trap = createServer(() => void (connections += 1)).listen(0, "127.0.0.1");
    await new Promise((resolve) => trap.once("listening", resolve));
    const { port } = trap.address() as AddressInfo;
    const lookUp: Resolve = (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    await sender.close();
    sender = createSender(createGuard({ allowHttp: true, allowCidrs: [] }, lookUp), { clock: systemClock, deadlineMs: DEADLINE });
    expect(await sender.send(letter(url.replace("PORT", String(port))), never)).toMatchObject({
      outcome: "address_not_allowed",
      status: null,
      responseBody: null,
    });
    expect(connections).toBe(0);
    trap.close();
  }
  test.each([
    "http://127.0.0.1:PORT/",
    "http://0x7f000001:PORT/",
    "http://127.1:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::1]:PORT/",
    "http://169.254.169.254/",
  ])("%s", (url) => refuses(url, []));
  test("behind a name", () => refuses("http://inside.test:PORT/", ["127.0.0.1"]));
  test("beside a public one", () => refuses("http://mixed.test:PORT/", ["93.184.215.14", "127.0.0.1"]));
  test("of a name whose answer changes between two tries", async () => {
    let address = "127.0.0.1";
    const lookUp: Resolve = (_hostname, _options, callback) => callback(null, [{ address, family: 4 }]);
    await sender.close();
    sender = createSender(createGuard({ allowHttp: true, allowCidrs: ["127.0.0.1/32"] }, lookUp), { clock: systemClock, deadlineMs: DEADLINE });
    receiver.answers["/once"] = (response) => response.writeHead(200, { connection: "close" }).end();
    const url = `http://turns.test:${receiver.port}/once`;
    expect(await sender.send(letter(url), never)).toMatchObject({ outcome: "ok" });
    address = "10.0.0.1";
    expect(await sender.send(letter(url), never)).toMatchObject({ outcome: "address_not_allowed" });
    expect(receiver.got).toHaveLength(1);
  });
  test("that stand behind a connection although nobody looked them up", async () => {
    // As if the guard's lookup had been passed by: the peer is looked at all the same.
    const open = createGuard({ allowHttp: true, allowCidrs: ["127.0.0.0/8"] });
    const closed = createGuard({ allowHttp: true, allowCidrs: [] });
    await sender.close();
    sender = createSender({ ...open, mayReach: closed.mayReach }, { clock: systemClock, deadlineMs: DEADLINE });
    expect(await to("/ok")).toMatchObject({ outcome: "address_not_allowed" });
    expect(receiver.got).toEqual([]);
  });
});
