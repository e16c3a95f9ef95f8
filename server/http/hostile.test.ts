/** Tests requests that fail before authorization: size, syntax, content type, origin, rate limit. */
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACCOUNT_HEADER } from "../../contract/account-header.ts";
import * as accounts from "../../contract/operations/accounts.ts";
import { deleteFiles } from "../../contract/operations/files-view.ts";
import * as chat from "../../contract/operations/chat.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as session from "../../contract/operations/session.ts";
import * as teams from "../../contract/operations/teams.ts";
import { ANONYMOUS, type Caller } from "../testing/client.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createSession, PASSWORD, setUpOwner, createApiToken } from "../testing/people.ts";
import { stateFingerprint } from "../testing/state-fingerprint.ts";
import { bearerCaller, PUBLIC_URL, startTestApp } from "../testing/test-app.ts";

const SEND_PATH = chat.sendMessage.path;
const JSON_TYPE = { "content-type": "application/json" };

describe("hostile requests", { timeout: 30_000 }, () => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures("sqlite")), 60_000);
  afterAll(() => fixtures.testApp.close());

  const messagePayload = (body: string): string => JSON.stringify({ project_id: fixtures.home.project, body });
  it.each<[string, number, () => { payload?: string | Buffer; headers?: Record<string, string> }]>([
    ["a body of 10 MB", 413, () => ({ payload: messagePayload("x".repeat(10_000_000)), headers: JSON_TYPE })],
    ["a body just over 256 KiB", 413, () => ({ payload: `${messagePayload("x")}${" ".repeat(256 * 1024)}`, headers: JSON_TYPE })],
    ["truncated JSON", 400, () => ({ payload: messagePayload("x").slice(0, -2), headers: JSON_TYPE })],
    ["a body that is not JSON", 400, () => ({ payload: "project_id=1", headers: JSON_TYPE })],
    ["two JSON values", 400, () => ({ payload: "{}{}", headers: JSON_TYPE })],
    ["NaN", 400, () => ({ payload: `{"project_id":NaN,"body":"x"}`, headers: JSON_TYPE })],
    ["a number out of range", 400, () => ({ payload: `{"project_id":1e999,"body":"x"}`, headers: JSON_TYPE })],
    [
      "invalid UTF-8",
      400,
      () => ({
        payload: Buffer.concat([Buffer.from(`{"project_id":${fixtures.home.project},"body":"`), Buffer.from([0xc3, 0x28]), Buffer.from(`"}`)]),
        headers: JSON_TYPE,
      }),
    ],
    [
      "an overlong NUL",
      400,
      () => ({
        payload: Buffer.concat([Buffer.from(`{"project_id":${fixtures.home.project},"body":"`), Buffer.from([0xc0, 0x80]), Buffer.from(`"}`)]),
        headers: JSON_TYPE,
      }),
    ],
    ["an escaped NUL", 400, () => ({ payload: `{"project_id":${fixtures.home.project},"body":"a\\u0000b"}`, headers: JSON_TYPE })],
    ["an escaped lone surrogate", 400, () => ({ payload: `{"project_id":${fixtures.home.project},"body":"a\\ud800b"}`, headers: JSON_TYPE })],
    ["a text of 10,001 characters", 400, () => ({ payload: messagePayload("x".repeat(10_001)), headers: JSON_TYPE })],
    ["a form in parts", 415, () => ({ payload: "--x--\r\n", headers: { "content-type": "multipart/form-data; boundary=x" } })],
    ["a form", 415, () => ({ payload: "project_id=1&body=x", headers: { "content-type": "application/x-www-form-urlencoded" } })],
    ["plain text", 415, () => ({ payload: messagePayload("x"), headers: { "content-type": "text/plain" } })],
    ["XML", 415, () => ({ payload: "<a/>", headers: { "content-type": "application/xml" } })],
    ["a compressed body", 415, () => ({ payload: gzipSync(messagePayload("x")), headers: { ...JSON_TYPE, "content-encoding": "gzip" } })],
    ["Latin-1", 415, () => ({ payload: Buffer.from(messagePayload("é"), "latin1"), headers: { "content-type": "application/json; charset=iso-8859-1" } })],
    ["UTF-16", 415, () => ({ payload: Buffer.from(messagePayload("x"), "utf16le"), headers: { "content-type": 'application/json;charset="utf-16"' } })],
    ["a malformed content type", 415, () => ({ payload: messagePayload("x"), headers: { "content-type": "json" } })],
  ])("rejects %s with %i and stores nothing", async (_title, status, request) => {
    const before = await stateFingerprint(fixtures.testApp.database);
    const reply = await fixtures.testApp.send(fixtures.member, { method: "POST", url: SEND_PATH, ...request() });
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.problem.status).toBe(status);
    expect(await stateFingerprint(fixtures.testApp.database)).toBe(before);
  });

  it("accepts UTF-8 and the identity encoding by name", async () => {
    for (const headers of [{ "content-type": 'application/json; charset="UTF-8"' }, { ...JSON_TYPE, "content-encoding": "identity" }])
      expect((await fixtures.testApp.send(fixtures.member, { method: "POST", url: SEND_PATH, payload: messagePayload("x"), headers })).status).toBe(200);
  });

  it("names the issues of path, query and body at once, and at most 20", async () => {
    const { testApp, member } = fixtures;
    const body = { name: "", archived: "x", ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`more${index}`, index])) };
    const reply = await testApp.callUntyped(member, projects.updateProject, { params: { project_id: "x" }, body });
    expect(reply.status).toBe(400);
    expect(reply.problem.errors?.map(({ path }) => path)).toEqual(expect.arrayContaining(["project_id", "name"]));
    const ids = Array.from({ length: 30 }, () => "no id");
    const many = await testApp.callUntyped(member, deleteFiles, { body: { file_ids: ids } });
    expect(many.problem.errors).toHaveLength(20);
  });

  it.each(["?limit=%", "?limit=5%2", "?cursor=%C3%28", "?q=%E0%A4%A"])("a query with a broken escape, %s, is a 400 that says so", async (query) => {
    const reply = await fixtures.testApp.send(fixtures.member, { method: "GET", url: `/api/v2/projects${query}` });
    expect(reply.status).toBe(400);
    expect(reply.problem.detail).toContain("The query has a %");
  });

  it.each(["/api/v2/projects/%/members", "/api/v2/projects/%zz/members", "/api/v2/projects/%C3%28/members", "/api/v2/projects/%E0%A4%A/members"])(
    "a path with a broken escape, %s, is a 400 that says so",
    async (url) => {
      const reply = await fixtures.testApp.send(fixtures.member, { method: "GET", url });
      expect(reply.status).toBe(400);
      expect(reply.problem.detail).toContain("The path has a %");
    },
  );

  it("accepts a body nested 100,000 levels deep with an Idempotency-Key", async () => {
    const payload = `{"team_id":${fixtures.home.team},"name":"deep","more":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const reply = await fixtures.testApp.send(fixtures.member, {
      method: "POST",
      url: teams.createGroup.path,
      payload,
      headers: { ...JSON_TYPE, "idempotency-key": "deep" },
    });
    expect(reply.status, reply.text).toBe(200);
  });

  it("treats __proto__ and constructor as ordinary members", async () => {
    const payload = `{"project_id":${fixtures.home.project},"body":"x","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}`;
    expect((await fixtures.testApp.send(fixtures.member, { method: "POST", url: SEND_PATH, payload, headers: JSON_TYPE })).status).toBe(200);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ["/v1/nothing", 404],
    ["/api/v2/nothing", 404],
    ["/api/v2/projects/%E0%A4%A/members", 400],
    ["/api/v2/projects/1%00/members", 400],
    ["/../../etc/passwd.txt", 404],
  ])("GET %s returns a problem (%i)", async (url, status) => {
    const reply = await fixtures.testApp.send(fixtures.member, { method: "GET", url });
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.problem).toMatchObject({ object: "error", status });
  });

  it("rejects an id of 300 digits without repeating it", async () => {
    const reply = await fixtures.testApp.send(fixtures.member, { method: "GET", url: `/api/v2/projects/${"9".repeat(300)}/members` });
    expect(reply.status).toBe(414);
    expect(reply.problem).toMatchObject({ object: "error", title: "URL too long" });
    expect(reply.text).not.toContain("999");
  });

  it.each([
    ["PATCH", SEND_PATH, "POST"],
    ["GET", SEND_PATH, "POST"],
    ["HEAD", SEND_PATH, "POST"],
    ["OPTIONS", SEND_PATH, "POST"],
    ["TRACE", SEND_PATH, "POST"],
    ["PUT", "/api/v2/session?x=1", "DELETE, GET, HEAD, POST"],
    ["POST", "/api/v2/live", "GET, HEAD"],
    ["GET", `/api/v2/uploads/${"0".repeat(32)}`, "DELETE, HEAD, PATCH"],
    ["POST", "/openapi.json", "GET, HEAD"],
    ["PUT", "/%61pi/v2/session", "DELETE, GET, HEAD, POST"],
  ])("%s %s is 405 with Allow: %s", async (method, url, allow) => {
    const reply = await fixtures.testApp.send(fixtures.member, { method, url });
    expect(reply.status, reply.text).toBe(405);
    expect(reply.headers).toMatchObject({ allow, "content-type": "application/problem+json; charset=utf-8" });
    if (method !== "HEAD") expect(reply.problem.detail).toContain(allow);
  });

  it("stores HTML and scripts as sent and returns them as JSON with nosniff", async () => {
    const { testApp, owner, member, home } = fixtures;
    const evil = `<img src=x onerror=alert(1)><script>alert("1")</script>&amp;`;
    const replies = [
      await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: evil } }),
      await testApp.call(owner, projects.updateProject, { params: { project_id: fixtures.apart.project }, body: { name: evil, description: evil } }),
      await testApp.call(member, teams.createGroup, { body: { team_id: home.team, name: evil, description: evil } }),
      await testApp.call(fixtures.guest, accounts.updateAccount, { body: { username: evil.slice(0, 60), user_info: evil } }),
      await testApp.call(member, accounts.createToken, { body: { name: evil, scopes: ["chat:read"] } }),
    ];
    for (const reply of replies) {
      expect(Object.values((reply.response as { data: object }).data)).toContainEqual(expect.stringContaining("<img src=x onerror=alert(1)>"));
      expect(reply.headers).toMatchObject({ "content-type": "application/json; charset=utf-8", "x-content-type-options": "nosniff" });
      expect(String(reply.headers["content-security-policy"])).toContain("default-src 'none'");
    }
    const rejection = await testApp.send(member, { method: "POST", url: SEND_PATH, payload: `{"project_id":"<script>"}`, headers: JSON_TYPE });
    expect(rejection.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  });

  describe("cross-site requests", () => {
    const createCookieCaller = async () => ({
      name: "browser",
      headers: { cookie: (await createSession(fixtures.testApp, fixtures.member.id, "x")).headers["cookie"] ?? "" },
    });
    it.each<[string, Record<string, string>, number]>([
      ["no origin at all", {}, 403],
      ["another origin", { origin: "https://evil.test" }, 403],
      ["a null origin", { origin: "null" }, 403],
      ["our origin with another scheme", { origin: PUBLIC_URL.replace("http:", "https:") }, 403],
      ["a cross-site request that claims our origin", { origin: PUBLIC_URL, "sec-fetch-site": "cross-site" }, 403],
      ["a sibling site", { origin: PUBLIC_URL, "sec-fetch-site": "same-site" }, 403],
      ["a foreign name for this machine (DNS rebinding)", { origin: "http://evil.test:3000", host: "evil.test:3000" }, 403],
      ["our origin", { origin: PUBLIC_URL }, 200],
      ["our page", { "sec-fetch-site": "same-origin" }, 200],
    ])("a write with the cookie from %s: %j", async (_title, headers, status) => {
      const reply = await fixtures.testApp.call(
        await createCookieCaller(),
        chat.sendMessage,
        { body: { project_id: fixtures.home.project, body: "x" } },
        { headers },
      );
      expect(reply.status, reply.text).toBe(status);
    });
    it("reads and bearer tokens are allowed", async () => {
      const { testApp, member, home } = fixtures;
      const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
      expect((await testApp.call(await createCookieCaller(), session.getSession, {}, { headers })).status).toBe(200);
      expect(
        (await testApp.call(await createApiToken(testApp, member), chat.sendMessage, { body: { project_id: home.project, body: "x" } }, { headers })).status,
      ).toBe(200);
    });
    it("a page that names another account than the cookie's is rejected and changes nothing", async () => {
      const { testApp, member, owner, home } = fixtures;
      const browser = await createCookieCaller();
      const sendAs = (caller: Caller, accountId: number | string, body: string) =>
        testApp.call(
          caller,
          chat.sendMessage,
          { body: { project_id: home.project, body } },
          { headers: { origin: PUBLIC_URL, [ACCOUNT_HEADER]: String(accountId) } },
        );
      const rejection = await sendAs(browser, owner.id, "as somebody else");
      expect(rejection.status, rejection.text).toBe(412);
      expect(rejection.problem).toMatchObject({ object: "error", status: 412, title: "Precondition failed" });
      expect((await sendAs(browser, "nonsense", "as nobody")).status).toBe(412);
      expect((await testApp.call(browser, session.getSession, {}, { headers: { [ACCOUNT_HEADER]: String(owner.id) } })).status).toBe(412);
      expect((await sendAs(browser, member.id, "as the cookie says")).status).toBe(200);
      // A token identifies its account, so the header is ignored.
      expect((await sendAs(await createApiToken(testApp, member), owner.id, "by a token")).status).toBe(200);
      const { data } = (await testApp.call(member, chat.chatHistory, { body: { project_id: home.project } })).response;
      const bodies = data.map(({ body }) => body);
      expect(bodies).toEqual(expect.arrayContaining(["as the cookie says", "by a token"]));
      expect(bodies).not.toContain("as somebody else");
      expect(bodies).not.toContain("as nobody");
    });
    it("a sign-in from another site's page is rejected, and one without an origin is allowed", async () => {
      const body = { login: "owner", password: PASSWORD };
      expect((await fixtures.testApp.call(ANONYMOUS, session.signIn, { body }, { headers: { origin: "https://evil.test" } })).status).toBe(403);
      expect((await fixtures.testApp.call(ANONYMOUS, session.signIn, { body }, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
      expect((await fixtures.testApp.call(ANONYMOUS, session.signIn, { body })).status).toBe(200);
    });
  });
});

/** Sends raw bytes and returns what the service writes back. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(5_000, () => socket.destroy());
    socket
      .on("data", (chunk) => (received += String(chunk)))
      .on("close", () => resolve(received))
      .on("error", reject);
  });
}

describe("raw connections", { timeout: 30_000 }, () => {
  it("oversized headers and malformed HTTP are answered with problems", async () => {
    const testApp = await startTestApp("sqlite");
    await testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
    const { port } = testApp.app.server.server.address() as AddressInfo;
    const large = await sendRaw(port, `GET /api/v2/service HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 /);
    expect(large).toContain("application/problem+json");
    const noHttp = await sendRaw(port, "\x16\x03\x01 hello\r\n\r\n");
    expect(noHttp).toMatch(/^HTTP\/1\.1 400 /);
    // Node's parser does not know these methods.
    const unknownMethod = await sendRaw(port, `FROB ${SEND_PATH}?x=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(unknownMethod).toMatch(/^HTTP\/1\.1 405 Method not allowed\r\n[^]*\r\nAllow: POST\r\n/);
    expect(await sendRaw(port, "FROB /api/v2/nothing HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 404 /);
    const twoLengths = await sendRaw(port, "POST /v1/teams/ls HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    expect(twoLengths).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(port, "GET /api/v2/service HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    await testApp.close();
  });

  it("requests are limited per account and per address, and guessed tokens count too", async () => {
    const testApp = await startTestApp("sqlite", { environment: { RATE_LIMIT: "5" } });
    const owner = await setUpOwner(testApp);
    const requestSession = (caller = owner, address = "192.0.2.1") => testApp.call(caller, session.getSession, {}, { address });
    for (let count = 0; count < 5; count += 1) expect((await requestSession()).status).toBe(200);
    const rejection = await requestSession();
    expect(rejection.status).toBe(429);
    expect(Number(rejection.headers["retry-after"])).toBeGreaterThan(0);
    expect(rejection.problem.title).toBe("Too many requests");
    const guesses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      guesses.push((await requestSession(bearerCaller("guess", `tb_pat_00000000_${"x".repeat(43)}`) as never, "2001:db8::" + count)).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await requestSession(ANONYMOUS as never, "2001:db8:1::1")).status).toBe(401);
    await testApp.close();
  });

  it("behind a proxy, the port of a forwarded address makes no other caller, and a text that is no address counts for the proxy", async () => {
    const testApp = await startTestApp("sqlite", { environment: { RATE_LIMIT: "3", TRUST_PROXY: "127.0.0.1,10.0.0.0/8" } });
    const statuses = async (forwarded: (index: number) => string) => {
      const replies: number[] = [];
      for (let index = 0; index < 4; index += 1)
        replies.push((await testApp.call(ANONYMOUS, session.getService, {}, { headers: { "x-forwarded-for": forwarded(index) } })).status);
      return replies;
    };
    expect(await statuses((index) => `198.51.100.8:${40_000 + index}`)).toEqual([200, 200, 200, 429]);
    expect(await statuses(() => "198.51.100.8")).toEqual([429, 429, 429, 429]);
    expect(await statuses((index) => `[2001:db8::${index}]:443`)).toEqual([200, 200, 200, 429]);
    // The inner proxy is trusted although the outer one wrote it with a port.
    expect(await statuses((index) => `198.51.100.9, 10.0.0.7:${5_000 + index}`)).toEqual([200, 200, 200, 429]);
    expect(await statuses((index) => `nonsense-${index}`)).toEqual([200, 200, 200, 429]);
    await testApp.close();
  });
});
