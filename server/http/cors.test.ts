/** Tests which pages of other sites may call the API. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "../../contract/define-operation.ts";
import * as oauth from "../../contract/operations/oauth.ts";
import { listProjects } from "../../contract/operations/projects.ts";
import * as session from "../../contract/operations/session.ts";
import { chatHistory, sendMessage } from "../../contract/operations/chat.ts";
import { ANONYMOUS, type Caller } from "../testing/client.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createApiToken, createSession, PASSWORD } from "../testing/people.ts";

const LISTED = "https://tools.example";
const OTHERS = [
  "https://evil.example",
  "http://tools.example",
  "https://tools.example:8443",
  "https://tools.example.evil.example",
  "https://sub.tools.example",
  "null",
];
const PREFLIGHT = { "access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type" };
const allowed = ({ headers }: { headers: Record<string, unknown> }) => headers["access-control-allow-origin"];

describe("with CORS_ORIGINS", { timeout: 30_000 }, () => {
  let fixtures: Fixtures;
  let token: Caller;
  beforeAll(async () => {
    fixtures = await createFixtures("sqlite", { environment: { CORS_ORIGINS: `${LISTED}, http://localhost:5173` } });
    token = await createApiToken(fixtures.testApp, fixtures.owner);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  const call = (caller: Caller, origin: string) => fixtures.testApp.call(caller, listProjects, {}, { headers: { origin, "sec-fetch-site": "cross-site" } });

  it("a listed page may read and write with a token, and nobody allows credentials", async () => {
    const { testApp, home } = fixtures;
    const read = await call(token, LISTED);
    expect([read.status, allowed(read), read.headers["vary"]]).toEqual([200, LISTED, "Origin"]);
    const write = await testApp.call(
      token,
      sendMessage,
      { body: { project_id: home.project, body: "x" } },
      { headers: { origin: LISTED, "sec-fetch-site": "cross-site" } },
    );
    expect([write.status, allowed(write)]).toEqual([200, LISTED]);
    for (const reply of [read, write]) expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
  });

  it.each(OTHERS)("%s may not, but the answer depends on the origin", async (origin) => {
    const reply = await call(token, origin);
    expect([allowed(reply), reply.headers["vary"]]).toEqual([undefined, "Origin"]);
    const preflight = await fixtures.testApp.send(ANONYMOUS, { method: "OPTIONS", url: chatHistory.path, headers: { origin, ...PREFLIGHT } });
    expect([preflight.status, allowed(preflight)]).toEqual([405, undefined]);
  });

  it("a preflight names the methods of its path and the headers of the API; an unknown path has none", async () => {
    const send = (url: string) => fixtures.testApp.send(ANONYMOUS, { method: "OPTIONS", url, headers: { origin: LISTED, ...PREFLIGHT } });
    const reply = await send(chatHistory.path);
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({ "access-control-allow-origin": LISTED, "access-control-allow-methods": "POST" });
    expect(String(reply.headers["access-control-allow-headers"])).toMatch(/Authorization.*Idempotency-Key.*Upload-Offset/);
    expect((await send("/api/v2/uploads/x")).headers["access-control-allow-methods"]).toBe("DELETE, HEAD, PATCH");
    const unknown = await send("/v1/nothing");
    expect([unknown.status, allowed(unknown)]).toEqual([404, LISTED]);
  });

  it("errors can be read too, with what says when to try again", async () => {
    const { testApp } = fixtures;
    const headers = { origin: LISTED };
    const replies = [
      await testApp.call(ANONYMOUS, listProjects, {}, { headers }),
      await testApp.callUntyped(token, chatHistory, { body: {} }, { headers }),
      await testApp.send(token, { method: "GET", url: "/v1/nothing", headers }),
      await testApp.send(token, { method: "PUT", url: chatHistory.path, headers }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 400, 404, 405]);
    for (const reply of replies) {
      expect(allowed(reply)).toBe(LISTED);
      expect(String(reply.headers["access-control-expose-headers"])).toMatch(/RateLimit-Limit.*Retry-After.*Upload-Offset.*WWW-Authenticate/);
    }
  });

  it("a listed page can neither write with a cookie nor sign in", async () => {
    const { testApp, home, member } = fixtures;
    const { headers } = await createSession(testApp, member.id, "x");
    const browser = { name: "browser", headers: { cookie: headers["cookie"] ?? "" } };
    for (const site of ["cross-site", "same-site"]) {
      const options = { headers: { origin: LISTED, "sec-fetch-site": site } };
      expect((await testApp.call(browser, sendMessage, { body: { project_id: home.project, body: "x" } }, options)).status).toBe(403);
      expect((await testApp.call(ANONYMOUS, session.signIn, { body: { login: "owner", password: PASSWORD } }, options)).status).toBe(403);
    }
  });
});

describe("the authorization server", { timeout: 30_000 }, () => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures("sqlite")), 60_000);
  afterAll(() => fixtures.testApp.close());
  const foreign = { origin: "https://some-app.example", "sec-fetch-site": "cross-site" };
  const anyOrigin = Object.values<Operation>(oauth).filter((operation) => operation.anyOrigin);

  it("is open to pages of every origin where it uses no cookie, also after a preflight", async () => {
    expect(anyOrigin.map(({ path }) => path).toSorted()).toEqual([
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/api/v2/oauth/register",
      "/api/v2/oauth/revoke",
      "/api/v2/oauth/token",
    ]);
    for (const operation of anyOrigin) {
      const reply = await fixtures.testApp.callUntyped(ANONYMOUS, operation, { body: operation.body && {} }, { headers: foreign });
      expect([reply.status, allowed(reply)], operation.path).toEqual([operation.method === "GET" ? 200 : 400, "*"]);
      expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
      const headers = { ...foreign, ...PREFLIGHT, "access-control-request-headers": "content-type,mcp-protocol-version" };
      const preflight = await fixtures.testApp.send(ANONYMOUS, { method: "OPTIONS", url: operation.path, headers });
      expect([preflight.status, allowed(preflight), preflight.headers["access-control-allow-headers"]]).toEqual([204, "*", "*, Authorization"]);
    }
  });

  it("is closed to them where it does", async () => {
    for (const operation of [oauth.authorize, oauth.getConsent, oauth.confirmConsent, oauth.listGrants]) {
      const reply = await fixtures.testApp.callUntyped(fixtures.member, operation, {}, { headers: foreign });
      expect(allowed(reply), operation.path).toBeUndefined();
    }
    const reply = await fixtures.testApp.callUntyped(fixtures.member, oauth.confirmConsent, { body: { decision: "allow" } }, { headers: foreign });
    expect(reply.status).toBe(403);
  });
});

it("without CORS_ORIGINS no page of another site gets anything", async () => {
  const { testApp, owner } = await createFixtures("sqlite");
  const token = await createApiToken(testApp, owner);
  const reply = await testApp.call(token, listProjects, {}, { headers: { origin: LISTED } });
  expect([allowed(reply), reply.headers["vary"]]).toEqual([undefined, undefined]);
  await testApp.close();
});
