/** Tests of the token endpoint: what must be refused, what ends a connection, and what happens at the same time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession } from "../../../contract/operations/session.ts";
import { DAY, HOUR, SECOND } from "../../lib/clock.ts";
import { ANONYMOUS, type Reply } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import {
  challengeOf,
  connectApp,
  createVerifier,
  exchangeCode,
  refreshTokens,
  REDIRECT_URI,
  registerApp,
  requestCode,
  type ConnectedApp,
  type TestClient,
} from "../../testing/oauth.ts";
import { bearerCaller, PUBLIC_URL } from "../../testing/test-app.ts";

describe.each(ENGINES)("the token endpoint on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const token = (body: Record<string, string | string[]>, options = {}) => fixtures.testApp.callUntyped(ANONYMOUS, oauth.issueToken, { body }, options);
  const errorOf = ({ status, text }: Reply<unknown>): [number, string] => [status, (JSON.parse(text) as { error: string }).error];
  const isSignedIn = async (accessToken: string): Promise<boolean> =>
    (await fixtures.testApp.call(bearerCaller("app", accessToken), getSession)).status === 200;
  const refresh = (app: ConnectedApp, more?: Record<string, string>) => refreshTokens(fixtures.testApp, app.client, app.refreshToken, more);
  const actionsOf = async (accountId: number): Promise<string[]> =>
    (await fixtures.testApp.database.read.selectFrom("audit").select("action").where("account_id", "=", accountId).orderBy("id").execute()).map(
      ({ action }) => action,
    );

  async function start(): Promise<{ client: TestClient; verifier: string; code: string; valid: Record<string, string> }> {
    const client = await registerApp(fixtures.testApp);
    const verifier = createVerifier();
    const code = await requestCode(fixtures.testApp, fixtures.member, client, verifier);
    const valid = { grant_type: "authorization_code", client_id: client.id, redirect_uri: client.redirectUri, code, code_verifier: verifier };
    return { client, verifier, code, valid };
  }

  describe("a code", () => {
    it.each<[string, Record<string, string>, string]>([
      ["a wrong verifier", { code_verifier: createVerifier() }, "invalid_grant"],
      ["the challenge as a plain verifier", { code_verifier: "challenge" }, "invalid_grant"],
      ["no verifier", { code_verifier: "" }, "invalid_request"],
      ["another redirect address", { redirect_uri: "https://app.test/other" }, "invalid_grant"],
      ["an almost equal redirect address", { redirect_uri: `${REDIRECT_URI}/` }, "invalid_grant"],
      ["a foreign resource", { resource: "https://other.test/" }, "invalid_target"],
    ])("is refused with %s", async (_title, change, error) => {
      const { valid, verifier } = await start();
      const body = { ...valid, ...change, ...(change["code_verifier"] === "challenge" ? { code_verifier: challengeOf(verifier) } : {}) };
      expect(errorOf(await token(body))).toEqual([400, error]);
    });

    it("is gone after one wrong verifier", async () => {
      const { valid } = await start();
      await token({ ...valid, code_verifier: createVerifier() });
      expect(errorOf(await token(valid))).toEqual([400, "invalid_grant"]);
    });

    it("works for 60 seconds", async () => {
      const [late, inTime] = [await start(), await start()];
      fixtures.testApp.clock.advance(60 * SECOND - 1);
      expect((await token(inTime.valid)).status).toBe(200);
      fixtures.testApp.clock.advance(1);
      expect(errorOf(await token(late.valid))).toEqual([400, "invalid_grant"]);
    });

    it("used again within 30 seconds is refused, and the connection stays; later it ends it", async () => {
      const { client, valid } = await start();
      const { access_token, refresh_token } = JSON.parse((await token(valid)).text) as Record<string, string>;
      fixtures.testApp.clock.advance(30 * SECOND);
      expect(errorOf(await token(valid))).toEqual([400, "invalid_grant"]);
      expect(await isSignedIn(access_token!)).toBe(true);
      fixtures.testApp.clock.advance(1);
      expect(errorOf(await token(valid))).toEqual([400, "invalid_grant"]);
      expect(await isSignedIn(access_token!)).toBe(false);
      expect(errorOf(await refreshTokens(fixtures.testApp, client, refresh_token!))).toEqual([400, "invalid_grant"]);
      expect((await actionsOf(fixtures.member.id)).at(-1)).toBe("app.token_reused");
    });

    it("is worth nothing to another client, and stays valid for its own", async () => {
      const { valid } = await start();
      const other = await registerApp(fixtures.testApp);
      expect(errorOf(await token({ ...valid, client_id: other.id }))).toEqual([400, "invalid_grant"]);
      expect((await token(valid)).status).toBe(200);
      // A used code does not end the connection of another client either.
      const { access_token } = JSON.parse((await token((await start()).valid)).text) as Record<string, string>;
      expect(errorOf(await token({ ...valid, client_id: other.id }))).toEqual([400, "invalid_grant"]);
      expect(await isSignedIn(access_token!)).toBe(true);
    });

    it("is a code only once, also for many requests at a time", async () => {
      const { valid } = await start();
      const replies = await Promise.all(Array.from({ length: 10 }, () => token(valid)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
    });

    it("gives no refresh token to a client that has not registered for them", async () => {
      const body = { redirect_uris: [REDIRECT_URI] };
      const client = { id: (await fixtures.testApp.call(ANONYMOUS, oauth.registerClient, { body })).response.client_id, redirectUri: REDIRECT_URI };
      const verifier = createVerifier();
      const { response } = await exchangeCode(fixtures.testApp, client, await requestCode(fixtures.testApp, fixtures.guest, client, verifier), verifier);
      expect(response).not.toHaveProperty("refresh_token");
      // Its access token is all that it has, so revoking that ends the connection.
      const again = await exchangeCode(fixtures.testApp, client, await requestCode(fixtures.testApp, fixtures.guest, client, verifier), verifier);
      const countApps = async () => (await fixtures.testApp.call(fixtures.guest, oauth.listGrants)).response.data.length;
      expect(await countApps()).toBe(2);
      await fixtures.testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: again.response.access_token, client_id: client.id } });
      expect([await countApps(), (await actionsOf(fixtures.guest.id)).at(-1)]).toEqual([1, "app.disconnected"]);
      fixtures.testApp.clock.advance(HOUR);
      expect((await fixtures.testApp.call(fixtures.guest, oauth.listGrants)).response.data).toEqual([]);
    });
  });

  it.each(["grant_type", "client_id", "code", "code_verifier", "redirect_uri", "resource"])("refuses a repeated %s", async (name) => {
    const { valid } = await start();
    const value = valid[name] ?? PUBLIC_URL;
    expect(errorOf(await token({ ...valid, [name]: [value, value] }))).toEqual([400, "invalid_request"]);
  });

  it("takes forms only, and no clients with secrets", async () => {
    const { valid } = await start();
    const send = (payload: string, headers: Record<string, string>) =>
      fixtures.testApp.send(ANONYMOUS, { method: "POST", url: oauth.issueToken.path, payload, headers });
    expect(errorOf(await send(JSON.stringify(valid), { "content-type": "application/json" }))).toEqual([415, "invalid_request"]);
    expect(errorOf(await token({ ...valid, client_secret: "x" }))).toEqual([401, "invalid_client"]);
    const basic = await token(valid, { headers: { authorization: `Basic ${btoa("x:y")}` } });
    expect([...errorOf(basic), basic.headers["www-authenticate"]]).toEqual([401, "invalid_client", 'Basic realm="talkback"']);
    expect(errorOf(await token({ ...valid, grant_type: "password" }))).toEqual([400, "unsupported_grant_type"]);
    // None of this has used the code.
    expect((await token(valid)).status).toBe(200);
    // A form is no body for operations with JSON.
    const form = await send("a=b", { "content-type": "application/x-www-form-urlencoded" });
    expect(errorOf(form)).toEqual([400, "invalid_request"]);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await fixtures.testApp.send(fixtures.member, { method: "POST", url: "/v1/teams/ls", payload: "a=b", headers })).status).toBe(415);
  });

  describe("a refresh token", () => {
    it("works once; used again within 30 seconds it is refused, and the connection stays", async () => {
      const app = await connectApp(fixtures.testApp, fixtures.member);
      const { response } = await refresh(app);
      fixtures.testApp.clock.advance(30 * SECOND);
      expect(errorOf(await refresh(app))).toEqual([400, "invalid_grant"]);
      expect(await isSignedIn(response.access_token)).toBe(true);
      expect((await refreshTokens(fixtures.testApp, app.client, response.refresh_token ?? "")).status).toBe(200);
    });

    it("ends the connection when it is used again later", async () => {
      const app = await connectApp(fixtures.testApp, fixtures.member);
      const { response } = await refresh(app);
      fixtures.testApp.clock.advance(30 * SECOND + 1);
      expect(errorOf(await refresh(app))).toEqual([400, "invalid_grant"]);
      for (const accessToken of [app.accessToken, response.access_token]) expect(await isSignedIn(accessToken)).toBe(false);
      expect(errorOf(await refreshTokens(fixtures.testApp, app.client, response.refresh_token ?? ""))).toEqual([400, "invalid_grant"]);
      expect((await actionsOf(fixtures.member.id)).at(-1)).toBe("app.token_reused");
    });

    it("is worth nothing to another client, and stays valid for its own", async () => {
      const app = await connectApp(fixtures.testApp, fixtures.member);
      const other = await registerApp(fixtures.testApp);
      expect(errorOf(await refreshTokens(fixtures.testApp, other, app.refreshToken))).toEqual([400, "invalid_grant"]);
      expect((await refresh(app)).status).toBe(200);
      fixtures.testApp.clock.advance(HOUR);
      expect(errorOf(await refreshTokens(fixtures.testApp, other, app.refreshToken))).toEqual([400, "invalid_grant"]);
      expect((await fixtures.testApp.call(fixtures.member, oauth.listGrants)).response.data.length).toBeGreaterThan(0);
    });

    it("is no access token, and an access token is no refresh token", async () => {
      const app = await connectApp(fixtures.testApp, fixtures.member);
      expect(await isSignedIn(app.refreshToken)).toBe(false);
      expect(errorOf(await refreshTokens(fixtures.testApp, app.client, app.accessToken))).toEqual([400, "invalid_grant"]);
      expect(await isSignedIn(app.accessToken)).toBe(true);
    });

    it("narrows the scopes of one access token, and never widens them", async () => {
      const { testApp, member } = fixtures;
      const app = await connectApp(testApp, member, ["account:read", "chat:read"]);
      for (const scope of ["account:read files:read", "admin", "everything"]) expect(errorOf(await refresh(app, { scope }))).toEqual([400, "invalid_scope"]);
      expect(errorOf(await refresh(app, { resource: "https://other.test" }))).toEqual([400, "invalid_target"]);
      const narrow = await refresh(app, { scope: "account:read" });
      expect(narrow.response.scope).toBe("account:read");
      const session = await testApp.call(bearerCaller("app", narrow.response.access_token), getSession);
      expect(session.response.data.scopes).toEqual(["account:read"]);
      const next = await refreshTokens(testApp, app.client, narrow.response.refresh_token ?? "");
      expect(next.response.scope).toBe("account:read chat:read");
    });

    it("wins once of 50 requests at a time, and none fails otherwise", async () => {
      const app = await connectApp(fixtures.testApp, fixtures.admin);
      const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(app)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = replies.filter(({ status }) => status !== 200).map(errorOf);
      expect(new Set(refused.map(String))).toEqual(new Set(["400,invalid_grant"]));
      const winner = replies.find(({ status }) => status === 200)!.response;
      expect(await isSignedIn(winner.access_token)).toBe(true);
      expect((await refreshTokens(fixtures.testApp, app.client, winner.refresh_token ?? "")).status).toBe(200);
    });
  });

  it("an access token expires after an hour", async () => {
    const app = await connectApp(fixtures.testApp, fixtures.member);
    fixtures.testApp.clock.advance(HOUR - 1);
    expect(await isSignedIn(app.accessToken)).toBe(true);
    fixtures.testApp.clock.advance(1);
    const reply = await fixtures.testApp.call(app, getSession);
    expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, expect.stringMatching(/^Bearer .*error="invalid_token", resource_metadata=/)]);
  });

  describe("revocation", () => {
    const revoke = (client: TestClient, value: string) =>
      fixtures.testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: value, client_id: client.id } });

    it("of an access token leaves the connection", async () => {
      const app = await connectApp(fixtures.testApp, fixtures.member);
      expect((await revoke(app.client, app.accessToken)).status).toBe(200);
      expect(await isSignedIn(app.accessToken)).toBe(false);
      expect((await refresh(app)).status).toBe(200);
    });

    it("of a refresh token ends it, also of one that was used", async () => {
      for (const isUsed of [false, true]) {
        const app = await connectApp(fixtures.testApp, fixtures.member);
        const newest = isUsed ? (await refresh(app)).response.access_token : app.accessToken;
        expect((await revoke(app.client, app.refreshToken)).status).toBe(200);
        expect(await isSignedIn(newest)).toBe(false);
        expect((await actionsOf(fixtures.member.id)).at(-1)).toBe("app.disconnected");
      }
    });

    it("of an unknown token is no error, and another client's is left alone", async () => {
      const app = await connectApp(fixtures.testApp, fixtures.member);
      const other = await registerApp(fixtures.testApp);
      for (const value of ["unknown", app.accessToken, app.refreshToken]) expect((await revoke(other, value)).status).toBe(200);
      expect(await isSignedIn(app.accessToken)).toBe(true);
      expect((await refresh(app)).status).toBe(200);
    });
  });

  // Last, because all sessions expire meanwhile.
  it("a connection expires after 30 days without a refresh, and after 90 in any case", async () => {
    const { clock } = fixtures.testApp;
    const idle = await connectApp(fixtures.testApp, fixtures.owner);
    let app = await connectApp(fixtures.testApp, fixtures.owner);
    for (let day = 0; day < 87; day += 29) {
      clock.advance(29 * DAY);
      const { response } = await refresh(app);
      app = { ...app, accessToken: response.access_token, refreshToken: response.refresh_token ?? "" };
    }
    expect(errorOf(await refresh(idle))).toEqual([400, "invalid_grant"]);
    clock.advance(3 * DAY - 1);
    const last = await refresh(app);
    expect([last.status, last.response.expires_in]).toEqual([200, 0]);
    clock.advance(1);
    expect(errorOf(await refreshTokens(fixtures.testApp, app.client, last.response.refresh_token ?? ""))).toEqual([400, "invalid_grant"]);
    expect(await isSignedIn(last.response.access_token)).toBe(false);
  });
});
