/** Tests how many connections, registrations and refreshes there can be, and how many in an hour. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
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
  insertApp,
  refreshTokens,
  registerApp,
  REDIRECT_URI,
  requestCode,
  type TestClient,
} from "../../testing/oauth.ts";
import { joinTeam } from "../../testing/people.ts";
import { bearerCaller } from "../../testing/test-app.ts";
import { REFRESH_IDLE_MS } from "./tokens.ts";

describe.each(ENGINES)("limits of OAuth on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  const grantsOf = async (caller: Fixtures["member"]) => (await fixtures.testApp.call(caller, oauth.listGrants)).response.data;

  it("allow a person ten connections to one app: a newer one ends the oldest", async () => {
    const { testApp, admin } = fixtures;
    const client = await registerApp(testApp);
    const apps = [];
    for (let number = 0; number < 11; number += 1) apps.push(await connectApp(testApp, admin, ["account:read"], client));
    expect(await grantsOf(admin)).toHaveLength(10);
    const statuses = await Promise.all(apps.slice(0, 2).map((app) => testApp.call(app, getSession)));
    expect(statuses.map(({ status }) => status)).toEqual([401, 200]);
    // Codes that nobody has exchanged count as little as the connection that a code becomes.
    const verifier = createVerifier();
    const codes = [];
    for (let number = 0; number < 11; number += 1) codes.push(await requestCode(testApp, admin, client, verifier, ["account:read"]));
    expect((await testApp.call(apps[1]!, getSession)).status).toBe(200);
    const { response } = await exchangeCode(testApp, client, codes[0]!, verifier);
    expect((await testApp.call(bearerCaller("app", response.access_token), getSession)).status).toBe(200);
    expect(await grantsOf(admin)).toHaveLength(10);
  });

  it("allow a person a hundred connections", async () => {
    const { testApp, owner, home } = fixtures;
    const person = await joinTeam(testApp, owner, "collector", { team: home.team, role: "member" });
    const client = await registerApp(testApp);
    for (let count = 0; count < LIMITS.oauth_grants; count += 1) await insertApp(testApp, person.id, ["chat:read"]);
    const body = { ...authorizationParameters(client, createVerifier()), decision: "allow" };
    const reply = await testApp.call(person, oauth.confirmConsent, { body });
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      409,
      { error_description: expect.stringMatching(/^You can have at most 100 connected apps/) },
    ]);
  });

  it("allow an account 60 consents an hour, and a network 30 registrations", async () => {
    const { testApp, neighbor } = fixtures;
    testApp.clock.advance(2 * HOUR);
    const client = await registerApp(testApp);
    const body = { ...authorizationParameters(client, createVerifier()), decision: "allow" };
    const confirm = () => testApp.call(neighbor, oauth.confirmConsent, { body });
    for (let count = 0; count < 60; count += 1) expect((await confirm()).status).toBe(302);
    const refused = await confirm();
    expect([refused.status, refused.headers["retry-after"], JSON.parse(refused.text)]).toMatchObject([429, "3600", { error: "temporarily_unavailable" }]);
    testApp.clock.advance(HOUR);
    expect((await confirm()).status).toBe(302);

    const register = (address: string) => testApp.call(ANONYMOUS, oauth.registerClient, { body: { redirect_uris: [REDIRECT_URI] } }, { address });
    for (let count = 0; count < 30; count += 1) expect((await register("192.0.2.7")).status).toBe(201);
    expect([(await register("192.0.2.7")).status, (await register("192.0.2.8")).status]).toEqual([429, 201]);
  });

  it("allow ten thousand registrations: the oldest without a connection is deleted, if it is older than an hour", async () => {
    const { testApp, guest } = fixtures;
    const used = await registerApp(testApp);
    const remaining = await connectApp(testApp, guest, ["chat:read"], used);
    const ended = await connectApp(testApp, guest, ["chat:read"]);
    await testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: ended.refreshToken, client_id: ended.client.id } });
    const now = testApp.clock.now();
    const row = { name: "x", redirect_uris: "[]", grant_types: "[]", created_at: now + 1 };
    await testApp.database.write(async (tx) => {
      for (let offset = 0; offset < 10_000; offset += 1_000)
        await tx
          .insertInto("oauth_clients")
          .values(Array.from({ length: 1_000 }, (_, index) => ({ ...row, public_id: `filler ${offset + index}` })))
          .execute();
      await tx
        .updateTable("oauth_clients")
        .set({ created_at: now + 2 })
        .where("public_id", "not in", [used.id, ended.client.id])
        .where("public_id", "not like", "filler %")
        .execute();
    });
    const register = () => testApp.call(ANONYMOUS, oauth.registerClient, { body: { redirect_uris: [REDIRECT_URI] } }, { address: "192.0.2.9" });
    const refused = await register();
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([429, { error: "temporarily_unavailable" }]);
    testApp.clock.advance(HOUR + 1);
    expect([(await register()).status, (await register()).status]).toEqual([201, 201]);
    expect((await refreshTokens(testApp, used, remaining.refreshToken)).status).toBe(200);
    const names = await testApp.database.read
      .selectFrom("oauth_clients")
      .select("public_id")
      .where("public_id", "in", ["filler 0", "filler 1", used.id, ended.client.id])
      .execute();
    expect(names.map(({ public_id }) => public_id).toSorted()).toEqual(["filler 1", used.id].toSorted());
  });

  it("allow a connection 60 refreshes an hour", async () => {
    const { testApp, guest } = fixtures;
    const [app, other] = [await connectApp(testApp, guest), await connectApp(testApp, guest)];
    const newest = await refreshAsOftenAsAllowed(app.client, app.refreshToken);
    expect(newest.count).toBe(60);
    const refused = await refreshTokens(testApp, app.client, newest.refreshToken);
    expect([refused.status, refused.headers["retry-after"], JSON.parse(refused.text)]).toEqual([
      429,
      "3600",
      { error: "temporarily_unavailable", error_description: "Too many refreshes. Try again in 60 minutes. An access token is valid for an hour." },
    ]);
    // None of its access tokens has ended early, and another connection has a limit of its own.
    expect((await testApp.call(app, getSession)).status).toBe(200);
    expect((await refreshTokens(testApp, other.client, other.refreshToken)).status).toBe(200);
    // The refused request has not used the token.
    testApp.clock.advance(HOUR);
    expect((await refreshTokens(testApp, app.client, newest.refreshToken)).status).toBe(200);
  });

  // Last, because all sessions expire meanwhile.
  it("leave no way to hide the theft of a refresh token by refreshing often", async () => {
    const { testApp, guest } = fixtures;
    const deleteOldRecords = testApp.app.scheduledJobs["delete old OAuth records"]!;
    const app = await connectApp(testApp, guest);
    const stolenUntil = testApp.clock.now() + REFRESH_IDLE_MS;
    let newest = { count: 0, refreshToken: app.refreshToken, accessToken: app.accessToken };
    for (let hour = 0; hour < 4; hour += 1) {
      newest = await refreshAsOftenAsAllowed(app.client, newest.refreshToken);
      expect(newest.count).toBe(60);
      testApp.clock.advance(HOUR);
      await deleteOldRecords();
    }
    testApp.clock.advance(stolenUntil - 1 - testApp.clock.now());
    newest = await refreshAsOftenAsAllowed(app.client, newest.refreshToken);
    await deleteOldRecords();
    expect((await testApp.call(bearerCaller("thief", newest.accessToken), getSession)).status).toBe(200);

    // The app has slept since it was connected. Its token is the stolen one, although the connection has reached its limit.
    expect((await refreshTokens(testApp, app.client, app.refreshToken)).status).toBe(400);
    expect((await testApp.call(bearerCaller("thief", newest.accessToken), getSession)).status).toBe(401);
    testApp.clock.advance(HOUR);
    expect((await refreshTokens(testApp, app.client, newest.refreshToken)).status).toBe(400);
    const log = testApp.database.read.selectFrom("audit").select("action").where("account_id", "=", guest.id).orderBy("id", "desc").limit(1);
    expect(await log.execute()).toEqual([{ action: "app.token_reused" }]);
  });

  /** Refreshes until the service refuses it, and returns how often that worked, with the newest tokens. */
  async function refreshAsOftenAsAllowed(client: TestClient, refreshToken: string): Promise<{ count: number; refreshToken: string; accessToken: string }> {
    let newest = { count: 0, refreshToken, accessToken: "" };
    for (;;) {
      const reply = await refreshTokens(fixtures.testApp, client, newest.refreshToken);
      if (reply.status !== 200) return newest;
      newest = { count: newest.count + 1, refreshToken: reply.response.refresh_token ?? "", accessToken: reply.response.access_token };
      if (newest.count > 100) throw new Error("The service does not limit the refreshes");
    }
  }
});
