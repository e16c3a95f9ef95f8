/** Tests apps that an API token has connected: their scopes, and that they end with it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession } from "../../../contract/operations/session.ts";
import { HOUR } from "../../lib/clock.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import {
  authorizationParameters,
  connectApp,
  createVerifier,
  exchangeCode,
  redirectParameters,
  refreshTokens,
  registerApp,
  requestCode,
} from "../../testing/oauth.ts";
import { createApiToken } from "../../testing/people.ts";

describe.each(ENGINES)("apps connected by an API token on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  const grantsOf = async (caller: Fixtures["member"]) => (await fixtures.testApp.call(caller, oauth.listGrants)).response.data;

  it("get at most the scopes of the API token that confirmed them, and do not outlast it", async () => {
    const { testApp, member } = fixtures;
    const expiry = testApp.clock.now() + 2 * HOUR;
    const token = await createApiToken(testApp, member, ["account:read", "chat:read"], new Date(expiry).toISOString());
    const client = await registerApp(testApp);
    const app = await connectApp(testApp, token, ["account:read", "chat:write", "admin"], client);
    expect((await testApp.call(app, getSession)).response.data.scopes).toEqual(["account:read"]);
    expect((await grantsOf(member))[0]?.expires_at).toBe(new Date(expiry).toISOString());
    const api_token = String(token.headers["authorization"]).slice("Bearer ".length);
    const body = { ...authorizationParameters(client, createVerifier(), ["admin"]), decision: "allow", api_token };
    expect(redirectParameters(await testApp.call(ANONYMOUS, oauth.confirmConsent, { body }))).toMatchObject({ error: "invalid_scope", state: "a state" });
    testApp.clock.advance(2 * HOUR);
    expect((await refreshTokens(testApp, client, app.refreshToken)).status).toBe(400);
  });

  it("are not confirmed by an API token or a session that ends in the meantime", async () => {
    const { testApp, member } = fixtures;
    const { authentication, authorization } = testApp.app.services;
    const client = await registerApp(testApp);
    const parameters = authorizationParameters(client, createVerifier(), ["account:read"]);
    const destination = await authorization.findDestination(parameters);
    const token = await createApiToken(testApp, member, ["account:read"]);
    const actor = await authentication.byBearer(String(token.headers["authorization"]).slice("Bearer ".length));
    await authorization.allow(actor!, destination, parameters);
    await testApp.call(member, accounts.revokeToken, { params: { token_id: token.id } });
    await expect(authorization.allow(actor!, destination, parameters)).rejects.toMatchObject({ status: 401 });
    const ended = { ...actor!, tokenId: null, sessionId: 1_000_000 };
    await expect(authorization.allow(ended, destination, parameters)).rejects.toMatchObject({ status: 401 });
  });

  it("are refused after the API token that confirmed them is revoked, even if they themselves are not", async () => {
    const { testApp, member } = fixtures;
    const token = await createApiToken(testApp, member, ["account:read"]);
    const client = await registerApp(testApp);
    const app = await connectApp(testApp, token, ["account:read"], client);
    const verifier = createVerifier();
    const code = await requestCode(testApp, token, client, verifier, ["account:read"]);
    await testApp.database.write((tx) => tx.updateTable("api_tokens").set({ revoked_at: testApp.clock.now() }).where("id", "=", token.id).execute());
    expect((await exchangeCode(testApp, client, code, verifier)).status).toBe(400);
    expect((await refreshTokens(testApp, client, app.refreshToken)).status).toBe(400);
  });
});
