import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getSession } from "../../../contract/operations/session.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { authorizationParameters, connectApp, createVerifier, exchangeCode, redirectParameters, refreshTokens, registerApp } from "../../testing/oauth.ts";
import { bearerCaller, PUBLIC_URL, startTestApp } from "../../testing/test-app.ts";

describe.each(ENGINES)("OAuth on %s", (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  it("connects an app from discovery to revocation", async () => {
    const { testApp, member } = fixtures;
    const { response: metadata } = await testApp.call(ANONYMOUS, oauth.getAuthServerMetadata);
    expect(metadata).toMatchObject({ issuer: PUBLIC_URL, code_challenge_methods_supported: ["S256"] });
    const client = await registerApp(testApp);
    const verifier = createVerifier();
    const parameters = authorizationParameters(client, verifier, ["account:read", "chat:read"]);

    const begun = await testApp.call(member, oauth.authorize, { query: parameters });
    expect(begun.status).toBe(302);
    const page = new URL(String(begun.headers["location"]), PUBLIC_URL);
    expect([page.origin, page.pathname, Object.fromEntries(page.searchParams)]).toEqual([PUBLIC_URL, "/authorize", parameters]);
    const { data: consent } = (await testApp.call(member, oauth.getConsent, { query: parameters })).response;
    expect(consent).toMatchObject({ client: { name: "Cutlist", redirect_host: "app.test", is_verified: false }, scopes: ["account:read", "chat:read"] });

    const confirmed = await testApp.call(member, oauth.confirmConsent, { body: { ...parameters, decision: "allow" } });
    expect(confirmed.status).toBe(302);
    expect(String(confirmed.headers["location"])).toMatch(/^https:\/\/app\.test\/callback\?/);
    const { code = "", ...answered } = redirectParameters(confirmed);
    expect(answered).toEqual({ state: "a state", iss: PUBLIC_URL });

    const issued = await exchangeCode(testApp, client, code, verifier);
    expect(issued.response).toEqual({
      access_token: expect.stringMatching(/^tb_at_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^tb_rt_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "account:read chat:read",
    });
    expect(issued.headers["cache-control"]).toBe("no-store");
    const session = await testApp.call(bearerCaller("app", issued.response.access_token), getSession);
    expect(session.response.data).toMatchObject({ account: { id: member.id }, authorized_by: "token", scopes: ["account:read", "chat:read"] });

    const refreshed = await refreshTokens(testApp, client, issued.response.refresh_token ?? "");
    const app = bearerCaller("app", refreshed.response.access_token);
    expect((await testApp.call(app, getSession)).status).toBe(200);
    const { data: grants } = (await testApp.call(member, oauth.listGrants)).response;
    expect(grants).toMatchObject([{ client_name: "Cutlist", redirect_hosts: ["app.test"], scopes: ["account:read", "chat:read"] }]);

    const revocation = { token: refreshed.response.refresh_token ?? "", client_id: client.id };
    expect((await testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: revocation })).status).toBe(200);
    expect((await testApp.call(app, getSession)).status).toBe(401);
    expect((await testApp.call(member, oauth.listGrants)).response.data).toEqual([]);
  });

  it("lets the form of the consent page, and of no other, be redirected to a registered address and on from there", async () => {
    const { testApp } = fixtures;
    const client = await registerApp(testApp, "http://127.0.0.1/callback");
    const load = async (path: string, change: Record<string, string> = {}) => {
      const parameters = { ...authorizationParameters({ ...client, redirectUri: "http://127.0.0.1:49152/callback" }, createVerifier()), ...change };
      const { headers } = await testApp.send(ANONYMOUS, { method: "GET", url: `${path}?${new URLSearchParams(parameters)}` });
      const [, sources] = /form-action ([^;]*)/.exec(String(headers["content-security-policy"])) ?? [];
      return [sources, headers["referrer-policy"]];
    };
    expect(await load("/authorize")).toEqual(["'self' https: http://127.0.0.1:* http://localhost:*", "same-origin"]);
    expect(await load("/authorize", { redirect_uri: "https://evil.test/" })).toEqual(["'self'", "same-origin"]);
    expect(await load("/authorize", { client_id: "unknown" })).toEqual(["'self'", "same-origin"]);
    expect(await load("/settings")).toEqual(["'self'", "no-referrer"]);
  });

  it("sends a form that was refused unread back to its page, with the request", async () => {
    const { testApp, member } = fixtures;
    const parameters = authorizationParameters(await registerApp(testApp), createVerifier());
    const search = new URLSearchParams(parameters);
    const confirm = async (referer: string) => {
      // The page was opened at another address than PUBLIC_URL.
      const headers = { accept: "text/html", host: "10.0.0.7", origin: "http://10.0.0.7", referer };
      const caller = { name: "browser", headers: { cookie: member.headers["cookie"] ?? "" } };
      return redirectParameters(await testApp.call(caller, oauth.confirmConsent, { body: { ...parameters, decision: "allow" } }, { headers }));
    };
    expect(await confirm(`http://10.0.0.7/authorize?${search}&api_token=x`)).toEqual({ ...parameters, refused: "403" });
    for (const referer of [`http://evil.test/authorize?${search}`, `http://10.0.0.7/other?${search}`, "about:blank", ""])
      expect(await confirm(referer)).toEqual({ refused: "403" });
  });

  it("counts requests for tokens against the budget of the network, in the form of the protocol", async () => {
    const limited = await startTestApp(engine, { environment: { RATE_LIMIT: "10" } });
    const replies = [];
    for (let count = 0; count < 6; count += 1)
      replies.push(await limited.call(ANONYMOUS, oauth.issueToken, { body: { grant_type: "refresh_token", client_id: "x", refresh_token: "x" } }));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    const last = replies.at(-1)!;
    expect([JSON.parse(last.text), last.headers["retry-after"], last.headers["access-control-allow-origin"]]).toMatchObject([
      { error: "temporarily_unavailable" },
      expect.any(String),
      "*",
    ]);
    await limited.close();
  });

  it("disconnects an app", async () => {
    const { testApp, member } = fixtures;
    const app = await connectApp(testApp, member);
    const [grant] = (await testApp.call(member, oauth.listGrants)).response.data;
    await testApp.call(member, oauth.revokeGrant, { params: { grant_id: grant?.id ?? 0 } });
    expect((await testApp.call(app, getSession)).status).toBe(401);
    expect((await refreshTokens(testApp, app.client, app.refreshToken)).status).toBe(400);
  });
});
