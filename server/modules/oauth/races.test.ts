/** Ends everything of an account while its apps exchange codes, refresh and revoke tokens, and connect anew. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession, resetPassword } from "../../../contract/operations/session.ts";
import { ANONYMOUS, type Caller, type Reply } from "../../testing/client.ts";
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
  type ConnectedApp,
  type TestClient,
} from "../../testing/oauth.ts";
import { createApiToken, createSession, joinTeam, PASSWORD, tokenFromUrl, type Person } from "../../testing/people.ts";
import { bearerCaller } from "../../testing/test-app.ts";

/** Apps that refresh their tokens, and as many that end their access themselves and that the person disconnects. */
const APPS = 4;
const CODES = 12;
/** Consents of each of two workers, after those of the apps and codes: an account can have 60 an hour. */
const CONSENTS = 12;
/** Refreshes before the end begins. */
const EARLIER_REFRESHES = 6;

interface Account {
  person: Person;
  browser: Caller;
  apiToken: Caller;
}
type EndEverything = (fixtures: Fixtures, account: Account) => Promise<Reply<unknown>>;

const CAUSES: [string, EndEverything][] = [
  [
    "its password is changed",
    ({ testApp }, { browser }) =>
      testApp.call(browser, accounts.changePassword, { body: { current_password: PASSWORD, new_password: PASSWORD, end_tokens: true } }),
  ],
  [
    "its password is reset",
    async ({ testApp, owner }, { person }) => {
      const { url } = (await testApp.call(owner, accounts.createPasswordReset, { params: { account_id: person.id } })).response.data;
      return testApp.call(ANONYMOUS, resetPassword, { body: { token: tokenFromUrl(url), password: PASSWORD } });
    },
  ],
  [
    "it is disabled",
    ({ testApp, owner }, { person }) => testApp.call(owner, accounts.updateMember, { params: { account_id: person.id }, body: { disabled: true } }),
  ],
];

describe.each(ENGINES)("the end of all access of an account on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let accountCount = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  async function createAccount(): Promise<Account> {
    const { testApp, owner, home } = fixtures;
    const person = await joinTeam(testApp, owner, `racer ${(accountCount += 1)}`, { team: home.team, role: "admin" });
    return { person, browser: await createSession(testApp, person.id, "browser"), apiToken: await createApiToken(testApp, person) };
  }

  /** What apps and browsers of an account do until they are refused, and all tokens that they get. */
  function createTraffic({ person, apiToken }: Account) {
    const { testApp } = fixtures;
    const accessTokens: string[] = [];
    const refreshTokensOf: [client: TestClient, token: string][] = [];
    const replies: [action: string, status: number][] = [];
    const started = Promise.withResolvers<void>();

    /** Returns the new refresh token; null if the request was refused. */
    async function requestTokens(action: string, client: TestClient, request: ReturnType<typeof exchangeCode>): Promise<string | null> {
      const reply = await request;
      replies.push([action, reply.status]);
      if (reply.status !== 200) return null;
      const { access_token, refresh_token = "" } = reply.response;
      accessTokens.push(access_token);
      refreshTokensOf.push([client, refresh_token]);
      return refresh_token;
    }
    const exchange = (client: TestClient, code: string, verifier: string) => requestTokens("exchange", client, exchangeCode(testApp, client, code, verifier));
    return {
      accessTokens,
      refreshTokensOf,
      replies,
      started: started.promise,
      async exchangeAll(client: TestClient, codes: string[], verifier: string): Promise<void> {
        for (const code of codes) await exchange(client, code, verifier);
      },
      async refreshUntilRefused({ client, refreshToken }: ConnectedApp): Promise<void> {
        for (let token: string | null = refreshToken; token !== null;) {
          token = await requestTokens("refresh", client, refreshTokens(testApp, client, token));
          if (replies.filter(([action]) => action === "refresh").length >= EARLIER_REFRESHES) started.resolve();
        }
      },
      async connectUntilRefused(client: TestClient, by: "session" | "API token"): Promise<void> {
        const verifier = createVerifier();
        const api_token = String(apiToken.headers["authorization"]).slice("Bearer ".length);
        const body = { ...authorizationParameters(client, verifier, ["account:read"]), decision: "allow", ...(by === "session" ? {} : { api_token }) };
        for (let count = 0; count < CONSENTS; count += 1) {
          const reply = await testApp.call(by === "session" ? person : ANONYMOUS, oauth.confirmConsent, { body });
          replies.push([`consent by ${by}`, reply.status]);
          if (reply.status !== 302) return;
          await exchange(client, redirectParameters(reply)["code"] ?? "", verifier);
        }
      },
      async revokeOwnTokens({ client, accessToken, refreshToken }: ConnectedApp): Promise<void> {
        for (const token of [accessToken, refreshToken])
          replies.push(["revoke", (await testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token, client_id: client.id } })).status]);
      },
      async disconnect(grant_id: number): Promise<void> {
        replies.push(["disconnect", (await testApp.call(person, oauth.revokeGrant, { params: { grant_id } })).status]);
      },
    };
  }

  it.each(CAUSES)("leaves no app connected, whatever the apps do at the same time: %s", async (_cause, endEverything) => {
    const { testApp, owner } = fixtures;
    const account = await createAccount();
    const traffic = createTraffic(account);
    const connect = () => Promise.all(Array.from({ length: APPS }, () => connectApp(testApp, account.person, ["account:read"])));
    const [toDisconnect, refreshing, revoking] = [await connect(), await connect(), await connect()];
    const grants = (await testApp.call(account.person, oauth.listGrants)).response.data.slice(-APPS);
    const [client, verifier] = [await registerApp(testApp), createVerifier()];
    const codes = await Promise.all(Array.from({ length: CODES }, () => requestCode(testApp, account.person, client, verifier, ["account:read"])));

    const refreshed = refreshing.map(traffic.refreshUntilRefused);
    await traffic.started;
    const [ended] = await Promise.all([
      endEverything(fixtures, account),
      ...refreshed,
      ...[0, 1, 2].map((part) =>
        traffic.exchangeAll(
          client,
          codes.filter((_, index) => index % 3 === part),
          verifier,
        ),
      ),
      traffic.connectUntilRefused(client, "session"),
      traffic.connectUntilRefused(client, "API token"),
      ...revoking.map(traffic.revokeOwnTokens),
      ...grants.map(({ id }) => traffic.disconnect(id)),
    ]);

    expect([ended.status, traffic.replies.filter(([, status]) => status >= 500)]).toEqual([expect.toBeOneOf([200, 204]), []]);
    const live = testApp.database.read.selectFrom("api_tokens").select("id").where("account_id", "=", account.person.id).where("revoked_at", "is", null);
    expect(await live.execute()).toEqual([]);
    // Nothing comes back with the account either.
    await testApp.call(owner, accounts.updateMember, { params: { account_id: account.person.id }, body: { disabled: false } });
    const accessTokens = [...traffic.accessTokens, ...[...toDisconnect, ...refreshing, ...revoking].map(({ accessToken }) => accessToken)];
    for (const token of accessTokens) expect((await testApp.call(bearerCaller("app", token), getSession)).status).toBe(401);
    for (const [ofClient, token] of traffic.refreshTokensOf) expect((await refreshTokens(testApp, ofClient, token)).status).toBe(400);
  });

  // Last, because it closes the database: PostgreSQL counts what a connection has met when it ends.
  it("causes no deadlock", async () => {
    if (engine === "sqlite") return;
    const { app, database, testDatabase } = fixtures.testApp;
    await app.server.close();
    await database.close();
    const reopened = testDatabase.open();
    const { rows } = await sql`select deadlocks from pg_stat_database where datname = current_database()`.execute(reopened.read);
    await reopened.close();
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});
