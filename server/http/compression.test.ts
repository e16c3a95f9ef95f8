/** Tests that compressed responses say the same, and which responses stay as they are. */
import Fastify, { type InjectOptions, type RouteHandlerMethod } from "fastify";
import { once } from "node:events";
import { Readable } from "node:stream";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { operations } from "../../contract/operations/all.ts";
import { HttpError } from "../lib/errors.ts";
import { ANONYMOUS, type Caller } from "../testing/client.ts";
import { upload } from "../testing/files.ts";
import { createFixtures, createMessage, type Fixtures } from "../testing/fixtures.ts";
import { createApiToken } from "../testing/people.ts";
import { connectRaw, listen } from "../testing/raw-socket.ts";
import { registerEndpoint } from "../testing/webhooks.ts";
import { chooseEncoding, compressResponses, keepCompressed, SECRET_OPERATIONS } from "./compression.ts";
import { createServer } from "./server.ts";

const DECOMPRESS = { br: brotliDecompressSync, gzip: gunzipSync };
const ENCODINGS = ["br", "gzip"] as const;
/** As browsers send it over https. */
const BROWSER = "gzip, deflate, br, zstd";

it.each([
  [undefined, null],
  ["", null],
  [BROWSER, "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0,gzip;q=0.000", null],
  ["*;q=0", null],
  ["gzip, *;q=0", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br ; q=0.8 , gzip;q=0.8", "br"],
  ["identity", null],
  ["identity, br;q=0.5", null],
  ["identity;q=0.5, gzip", "gzip"],
  ["deflate, zstd", null],
  ["br;q=2", null],
  ["br;q=-1, gzip;q=x", null],
  ["br;level=4", null],
  [";q=1,,;,=", null],
  ["brgzip", null],
  [`${"a,".repeat(7_000)}gzip`, "gzip"],
])("Accept-Encoding %j leads to %j", (header, expected) => expect(chooseEncoding(header)).toBe(expected));

describe("responses of the API", { timeout: 30_000 }, () => {
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await createFixtures("sqlite");
    const { testApp, member, home } = fixtures;
    for (let count = 0; count < 8; count += 1) {
      await createMessage(testApp, member, home.project, `Bass is hot at 1:2${count}, everything else sits. 🥁`);
      await upload(testApp, member, { parent: home.folder, name: `Größe ${count}.wav` });
    }
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const inject = (caller: Caller, request: InjectOptions, headers: Record<string, string> = {}) =>
    fixtures.testApp.app.server.inject({ ...request, headers: { ...caller.headers, ...request.headers, ...headers } });
  const get = (url: string) => ({ method: "GET", url }) as const;
  const requests = (): Record<string, InjectOptions> => ({
    history: { method: "POST", url: "/v1/account/projects/chat_history", payload: { project_id: fixtures.home.project } },
    files: get(`/api/v2/projects/${fixtures.home.project}/files?folder_id=${fixtures.home.folder}`),
    comments: get(`/api/v2/files/${fixtures.home.file}/comments`),
    description: get("/openapi.json"),
  });

  /** Expects the text of a response with each encoding, twice, because the second one may be kept. */
  async function expectSame(caller: Caller, request: InjectOptions): Promise<void> {
    const plain = await inject(caller, request);
    expect([plain.statusCode, plain.headers["content-encoding"], plain.headers["vary"]]).toEqual([200, undefined, "Accept-Encoding"]);
    for (const encoding of [...ENCODINGS, ...ENCODINGS]) {
      const { headers, rawPayload } = await inject(caller, request, { "accept-encoding": encoding });
      expect(headers).toMatchObject({
        "content-encoding": encoding,
        vary: "Accept-Encoding",
        "content-length": String(rawPayload.length),
        "content-type": plain.headers["content-type"],
        "cache-control": plain.headers["cache-control"],
      });
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      expect(DECOMPRESS[encoding](rawPayload).toString()).toBe(plain.body);
    }
  }

  it.each(["history", "files", "description"])("say the same with each encoding: %s", (name) => expectSame(fixtures.guest, requests()[name]!));

  it("say the same in pages with unread marks, which are each reader's own", async () => {
    const { testApp, home, member, guest } = fixtures;
    for (let count = 0; count < 5; count += 1)
      await testApp.call(member, operations.writeComment, { params: { file_id: home.file }, body: { body: `Louder, ${count}` } });
    expect((await inject(guest, requests()["files"]!)).body).toContain('"has_unread_comments":true');
    expect((await inject(member, requests()["files"]!)).body).not.toContain('"has_unread_comments":true');
    for (const caller of [guest, member]) await expectSame(caller, requests()["files"]!);
    await expectSame(guest, requests()["comments"]!);
  });

  it("follow a change at once", async () => {
    const accepting = { "accept-encoding": "br" };
    await inject(fixtures.guest, requests()["history"]!, accepting);
    await createMessage(fixtures.testApp, fixtures.member, fixtures.home.project, "A newer one");
    const { rawPayload } = await inject(fixtures.guest, requests()["history"]!, accepting);
    expect(brotliDecompressSync(rawPayload).toString()).toContain("A newer one");
  });

  it.each(["files", "description"])("have the same headers with HEAD: %s", async (name) => {
    for (const encoding of ["identity", ...ENCODINGS]) {
      const accepting = { "accept-encoding": encoding };
      const [full, head] = [
        await inject(fixtures.guest, requests()[name]!, accepting),
        await inject(fixtures.guest, { ...requests()[name], method: "HEAD" }, accepting),
      ];
      expect(head.rawPayload).toHaveLength(0);
      const comparable = ({ date: _date, "x-request-id": _id, "ratelimit-remaining": _left, ...others }: Record<string, unknown>) => others;
      expect(comparable(head.headers), encoding).toEqual(comparable(full.headers));
      expect(head.headers["content-encoding"], encoding).toBe(encoding === "identity" ? undefined : encoding);
    }
  });

  it("stay as they are when they are small", async () => {
    const { headers } = await inject(fixtures.guest, get("/api/v2/push-key"), { "accept-encoding": BROWSER });
    expect([headers["content-encoding"], headers["vary"]]).toEqual([undefined, undefined]);
  });

  it("stay as they are when they carry credentials", async () => {
    const { testApp, owner } = fixtures;
    const [first] = [await registerEndpoint(testApp, owner, { description: "x".repeat(200) }), await registerEndpoint(testApp, owner)];
    const payload = { url: `https://hooks.example.com/${"y".repeat(1_000)}`, event_types: ["file.status_changed"] };
    const created = await inject(owner, { method: "POST", url: "/api/v2/webhook-endpoints", payload }, { "accept-encoding": BROWSER });
    expect(created.json().data.secret).toMatch(/^whsec_/);
    const listed = await inject(owner, get("/api/v2/webhook-endpoints"), { "accept-encoding": BROWSER });
    expect(listed.json().data.map(({ id }: { id: number }) => id)).toContain(first);
    for (const { rawPayload, headers } of [created, listed]) {
      expect(rawPayload.length).toBeGreaterThan(1_000);
      expect(headers["content-encoding"]).toBeUndefined();
    }
  });

  it("stay as they are when a page of another site asks with the visitor's cookie", async () => {
    const { guest, testApp, owner } = fixtures;
    const encodingFor = async (caller: Caller, site: string) =>
      (await inject(caller, requests()["files"]!, { "accept-encoding": "br", "sec-fetch-site": site })).headers["content-encoding"];
    expect(guest.headers).toHaveProperty("cookie");
    for (const site of ["cross-site", "same-site"]) expect(await encodingFor(guest, site)).toBeUndefined();
    for (const site of ["same-origin", "none"]) expect(await encodingFor(guest, site)).toBe("br");
    expect(await encodingFor(await createApiToken(testApp, owner), "cross-site")).toBe("br");
  });

  it("stay as they are when they are stored bytes, whole, in part, or by their tag", async () => {
    const bytes = "The same again. ".repeat(200);
    const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "notes.txt", bytes });
    const request = get(`/api/v2/files/${id}/versions/1/original`);
    const whole = await inject(fixtures.guest, request, { "accept-encoding": BROWSER });
    expect([whole.body, whole.headers["content-encoding"], whole.headers["content-length"]]).toEqual([bytes, undefined, String(bytes.length)]);
    const part = await inject(fixtures.guest, request, { "accept-encoding": BROWSER, range: "bytes=0-1999" });
    expect([part.statusCode, part.body, part.headers["content-encoding"]]).toEqual([206, bytes.slice(0, 2_000), undefined]);
    const tagged = { "accept-encoding": BROWSER, "if-none-match": String(whole.headers["etag"]) };
    expect((await inject(fixtures.guest, request, tagged)).statusCode).toBe(304);
  });

  it("leave nothing behind when clients go away", async () => {
    const { testApp, guest } = fixtures;
    const base = await listen(testApp);
    const { url, payload } = requests()["history"]!;
    const body = JSON.stringify(payload);
    const head = (connection: string) =>
      `POST ${String(url)} HTTP/1.1\r\nHost: talkback.test\r\nConnection: ${connection}\r\nAccept-Encoding: br\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${Object.entries(
        guest.headers,
      )
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n${body}`;
    // More than may run at a time, so that a slot that stays taken would be missed below.
    for (let count = 0; count < 20; count += 1) {
      const connection = connectRaw(base, head("keep-alive"));
      const [closed] = [connection.closed, await once(testApp.app.server.server, "request")];
      connection.socket.destroy();
      await closed;
    }
    expect(await connectRaw(base, head("close")).closed).toMatch(/^HTTP\/1\.1 200 OK[^]*\r\nContent-Encoding: br/i);
    await expectSame(guest, requests()["history"]!);
  });

  it("of the reference's viewer keep their tag", async () => {
    const viewer = await inject(ANONYMOUS, get("/docs/scalar.js"), { "accept-encoding": "br" });
    expect([viewer.headers["content-encoding"], gunzipSync(viewer.rawPayload).length > 100_000]).toEqual(["gzip", true]);
    expect((await inject(ANONYMOUS, get("/docs/scalar.js"), { "if-none-match": String(viewer.headers["etag"]), "accept-encoding": "br" })).statusCode).toBe(
      304,
    );
  });
});

it("every operation whose response names a credential is one of the uncompressed", () => {
  const names = /"(token|secret|secret_hint|ticket|access_token|refresh_token|urls)":/;
  const carrying = Object.values(operations).filter(
    ({ response }) => response && names.test(JSON.stringify(z.toJSONSchema(response, { unrepresentable: "any" }))),
  );
  expect(carrying.length).toBeGreaterThan(10);
  expect(carrying.filter((operation) => !SECRET_OPERATIONS.has(operation)).map(({ path }) => path)).toEqual([]);
  // Their links are in `url`, like addresses that require signing in.
  for (const operation of [operations.inviteMember, operations.createPasswordReset, operations.checkWebhookUrl]) expect(SECRET_OPERATIONS).toContain(operation);
});

describe("a server", () => {
  const TEXT = JSON.stringify({ data: "The same again. ".repeat(200) });
  async function send(handler: RouteHandlerMethod, headers: Record<string, string> = { "accept-encoding": "br" }) {
    const server = await createServer({ publicUrl: "http://talkback.test", logLevel: "silent", trustProxy: [], corsOrigins: ["https://tools.example"] });
    server.get("/", handler);
    const responses = await Promise.all([1, 2, 3].map(() => server.inject({ url: "/", headers })));
    await server.close();
    return responses[0]!;
  }

  it.each<[string, Record<string, string>]>([
    ["has a tag", { etag: '"1"' }],
    ["is encoded already", { "content-encoding": "zstd" }],
    ["is a part", { "content-range": "bytes 0-3000/9000" }],
    ["is a stream of events", { "content-type": "text/event-stream" }],
    ["is a page, which has a nonce", { "content-type": "text/html; charset=utf-8" }],
    ["is audio", { "content-type": "audio/wav" }],
    ["has bytes of an unknown kind", { "content-type": "application/octet-stream" }],
  ])("leaves a response that %s", async (_title, given) => {
    const { headers, body } = await send(async (_request, reply) => reply.type("application/json").headers(given).send(TEXT));
    expect([body, headers["content-encoding"], headers["vary"]]).toEqual([TEXT, given["content-encoding"], "Origin"]);
  });

  it("leaves a stream", async () => {
    const { headers, body } = await send(async (_request, reply) => reply.type("application/json").send(Readable.from([TEXT])));
    expect([body, headers["content-encoding"]]).toEqual([TEXT, undefined]);
  });

  it("compresses a problem, and adds to what varies", async () => {
    const { headers, rawPayload, statusCode } = await send(async () => {
      throw new HttpError(400, "x".repeat(2_000));
    });
    expect(statusCode).toBe(400);
    expect(headers).toMatchObject({ "content-encoding": "br", vary: "Origin, Accept-Encoding", "content-type": "application/problem+json; charset=utf-8" });
    expect(JSON.parse(brotliDecompressSync(rawPayload).toString())).toMatchObject({ status: 400, detail: "x".repeat(2_000) });
  });

  it("compresses a shared body once for each encoding", async () => {
    const sizes: number[] = [];
    const body = keepCompressed(Buffer.from(TEXT), (bytes) => void sizes.push(bytes));
    const handler: RouteHandlerMethod = async (_request, reply) => reply.type("application/json").send(body);
    await send(handler, { "accept-encoding": "identity" });
    expect(sizes).toEqual([]);
    for (const count of [1, 2]) {
      const { rawPayload } = await send(handler);
      expect(brotliDecompressSync(rawPayload).toString()).toBe(TEXT);
      expect(sizes, `request ${count}`).toEqual([rawPayload.length]);
    }
    expect(gunzipSync((await send(handler, { "accept-encoding": "gzip" })).rawPayload).toString()).toBe(TEXT);
    expect(sizes).toHaveLength(2);
  });
});

it("a response that cannot be compressed, for example without memory, is sent as it is, and the next one is compressed again", async () => {
  const app = Fastify();
  const compressed = Buffer.from("compressed");
  let attempts = 0;
  const compressOnce = async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("Initialization failed");
    return compressed;
  };
  compressResponses(app, { br: compressOnce, gzip: compressOnce });
  const body = keepCompressed(Buffer.from("The same again. ".repeat(200)));
  app.get("/", async (_request, reply) => reply.type("text/plain").send(body));
  for (const [encoding, payload] of [
    [undefined, body],
    ["br", compressed],
    ["br", compressed],
  ] as const) {
    const { statusCode, headers, rawPayload } = await app.inject({ url: "/", headers: { "accept-encoding": "br" } });
    expect([statusCode, headers["content-encoding"], rawPayload]).toEqual([200, encoding, payload]);
  }
  expect(attempts).toBe(2);
  await app.close();
});
