/** Tests consents, exchanges and refreshes during which the account's access ends or the client is deleted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession, resetPassword } from "../../../contract/operations/session.ts";
import { DAY } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller, type CallOptions } from "../../testing/client.ts";
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
  type TestClient,
} from "../../testing/oauth.ts";
import { createSession, PASSWORD, tokenFromUrl } from "../../testing/people.ts";
import { holdRowLock, waitForLockWaiters } from "../../testing/row-locks.ts";
import { bearerCaller } from "../../testing/test-app.ts";

const HTML = { headers: { accept: "text/html,*/*" } };
const verifier = createVerifier();

describe.each(ENGINES)("OAuth requests on %s during which something ends", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const parametersOf = (client: TestClient) => authorizationParameters(client, verifier, ["account:read"]);
  const confirm = (caller: Caller, client: TestClient, options?: CallOptions) =>
    fixtures.testApp.callUntyped(caller, oauth.confirmConsent, { body: { ...parametersOf(client), decision: "allow" } }, options);
  const rowOf = (client: TestClient) =>
    fixtures.testApp.database.read.selectFrom("oauth_clients").select("id").where("public_id", "=", client.id).executeTakeFirst();
  const prune = () => fixtures.testApp.app.scheduledJobs["delete old OAuth records"]!();
  /** A registration that the next run of the hourly job deletes, and a session that is still valid then. */
  async function registerLongAgo(): Promise<{ client: TestClient; browser: Caller }> {
    const client = await registerApp(fixtures.testApp);
    fixtures.testApp.clock.advance(7 * DAY + 1);
    return { client, browser: await createSession(fixtures.testApp, fixtures.member.id, "browser") };
  }

  it("a client that the hourly job deletes between the page and the confirmation is unknown", async () => {
    const { testApp } = fixtures;
    const { client, browser } = await registerLongAgo();
    expect((await testApp.call(browser, oauth.getConsent, { query: parametersOf(client) })).status).toBe(200);
    await prune();
    const looked = await testApp.callUntyped(browser, oauth.getConsent, { query: parametersOf(client) });
    expect(looked.problem).toMatchObject({ status: 400, error: "invalid_client", detail: expect.stringContaining("registration has expired") });
    const confirmed = await confirm(browser, client);
    expect([confirmed.status, JSON.parse(confirmed.text)]).toMatchObject([400, { error: "invalid_client" }]);
    // The page shows the error by itself, because it looks the consent up again.
    const shown = await confirm(browser, client, HTML);
    expect([shown.status, String(shown.headers["location"])]).toEqual([302, `/authorize?${new URLSearchParams(redirectParameters(shown))}`]);
  });

  it("a client that the hourly job deletes within the confirmation is unknown", async () => {
    const { authentication, authorization } = fixtures.testApp.app.services;
    const { client, browser } = await registerLongAgo();
    const actor = await authentication.bySession(String(browser.headers["cookie"]).slice("talkback=".length));
    const destination = await authorization.findDestination(parametersOf(client));
    await prune();
    await expect(authorization.allow(actor!, destination, parametersOf(client))).rejects.toMatchObject({
      status: 400,
      extensions: { error: "invalid_client" },
    });
  });

  describe.runIf(engine === "postgres")("with transactions that wait for each other", () => {
    it("a consent that waits for the hourly job finds the client deleted, and the job leaves one that a consent has locked", async () => {
      const { testApp } = fixtures;
      for (const isJobFirst of [true, false]) {
        const { client, browser } = await registerLongAgo();
        const release = await holdRowLock(testApp, "oauth_clients", (await rowOf(client))!.id);
        const begin = () => (isJobFirst ? { job: prune() } : { reply: confirm(browser, client) });
        const first = begin();
        await waitForLockWaiters(testApp, 1);
        const { job, reply } = { job: first.job ?? prune(), reply: first.reply ?? confirm(browser, client) };
        await waitForLockWaiters(testApp, 2);
        await release();
        await job;
        expect([(await reply).status, (await rowOf(client)) === undefined]).toEqual(isJobFirst ? [400, true] : [302, false]);
      }
    });

    it("a code of a consent that began before a password reset is worthless after it", async () => {
      const { testApp, owner, member } = fixtures;
      const [browser, ownerBrowser] = [await createSession(testApp, member.id, "browser"), await createSession(testApp, owner.id, "owner")];
      const client = await registerApp(testApp);
      const { url } = (await testApp.call(ownerBrowser, accounts.createPasswordReset, { params: { account_id: member.id } })).response.data;
      const release = await holdRowLock(testApp, "oauth_clients", (await rowOf(client))!.id);
      const confirmed = confirm(browser, client);
      await waitForLockWaiters(testApp, 1);
      const reset = testApp.call(ANONYMOUS, resetPassword, { body: { token: tokenFromUrl(url), password: PASSWORD } });
      await waitForLockWaiters(testApp, 2);
      await release();
      expect((await reset).status).toBe(200);
      const { code = "" } = redirectParameters(await confirmed);
      expect(code).not.toBe("");
      expect((await exchangeCode(testApp, client, code, verifier)).status).toBe(400);
    });

    it("tokens of a refresh that began before the app was disconnected are worthless after it", async () => {
      const { testApp, guest } = fixtures;
      const browser = await createSession(testApp, guest.id, "browser");
      const app = await connectApp(testApp, browser, ["account:read"]);
      const [grant] = (await testApp.call(browser, oauth.listGrants)).response.data;
      const release = await holdRowLock(testApp, "api_tokens", grant?.id ?? 0);
      const refreshed = refreshTokens(testApp, app.client, app.refreshToken);
      await waitForLockWaiters(testApp, 1);
      const disconnected = testApp.call(browser, oauth.revokeGrant, { params: { grant_id: grant?.id ?? 0 } });
      await waitForLockWaiters(testApp, 2);
      await release();
      expect((await disconnected).status).toBe(204);
      const { response } = await refreshed;
      expect((await testApp.call(bearerCaller("app", response.access_token), getSession)).status).toBe(401);
      expect((await refreshTokens(testApp, app.client, response.refresh_token ?? "")).status).toBe(400);
    });
  });
});
