/** Tests what connected apps can do, and how long: roles, limits, the live channel, the hourly job, the log. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { chatHistory, sendMessage } from "../../../contract/operations/chat.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { listAuditEntries } from "../../../contract/operations/audit.ts";
import { getSession, liveTicket } from "../../../contract/operations/session.ts";
import { listWebhookEndpoints } from "../../../contract/operations/webhooks.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFailingDatabase } from "../../testing/failing-database.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { openSocket } from "../../testing/live.ts";
import {
  authorizationParameters,
  connectApp,
  createVerifier,
  exchangeCode,
  insertApp,
  redirectParameters,
  refreshTokens,
  registerApp,
  REDIRECT_URI,
  requestCode,
} from "../../testing/oauth.ts";
import { createApiToken, joinTeam } from "../../testing/people.ts";
import { bearerCaller } from "../../testing/test-app.ts";

describe.each(ENGINES)("connected apps on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  const log: string[] = [];
  const failing = createFailingDatabase(engine);
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { connect: failing.connect, environment: { LOG_LEVEL: "trace" }, onLog: (line) => void log.push(line) });
    await fixtures.testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  const grantsOf = async (caller: Fixtures["member"]) => (await fixtures.testApp.call(caller, oauth.listGrants)).response.data;

  it("see and do what the role of their person allows, and no more than their scopes", async () => {
    const { testApp, guest, home, next } = fixtures;
    const app = await connectApp(testApp, guest, ["chat:read", "admin", "webhooks"]);
    const read = (project_id: number) => testApp.call(app, chatHistory, { body: { project_id } });
    expect([(await read(home.project)).status, (await read(next.project)).status]).toEqual([200, 404]);
    const write = await testApp.call(app, sendMessage, { body: { project_id: home.project, body: "x" } });
    expect([write.status, write.headers["www-authenticate"]]).toEqual([
      403,
      expect.stringMatching(/^Bearer realm="talkback", error="insufficient_scope", scope="chat:write", resource_metadata="http/),
    ]);
    expect((await testApp.call(app, listWebhookEndpoints)).status).toBe(403);
    expect((await testApp.call(app, accounts.createToken, { body: { name: "x", scopes: ["admin"] } })).status).toBe(403);
    expect((await testApp.call(app, oauth.listGrants)).status).toBe(403);
  });

  it("lose what their person loses", async () => {
    const { testApp, owner, home } = fixtures;
    const admin = await joinTeam(testApp, owner, "short-lived admin", { team: home.team, role: "admin" });
    const app = await connectApp(testApp, admin, ["webhooks", "account:read"]);
    expect((await testApp.call(app, listWebhookEndpoints)).status).toBe(200);
    const update = (body: object) => testApp.call(owner, accounts.updateMember, { params: { account_id: admin.id }, body });
    await update({ role: "member" });
    expect((await testApp.call(app, listWebhookEndpoints)).status).toBe(403);
    const { response } = await refreshTokens(testApp, app.client, app.refreshToken);
    expect((await testApp.call(bearerCaller("app", response.access_token), listWebhookEndpoints)).status).toBe(403);
    await update({ disabled: true });
    expect((await testApp.call(bearerCaller("app", response.access_token), getSession)).status).toBe(401);
    expect((await refreshTokens(testApp, app.client, response.refresh_token ?? "")).status).toBe(400);
  });

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

  it("end with the API token that confirmed them, also if its end has missed them", async () => {
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

  it("are no API tokens", async () => {
    const { testApp, member } = fixtures;
    await connectApp(testApp, member);
    const [grant] = await grantsOf(member);
    expect((await testApp.call(member, accounts.listTokens)).response.data.map(({ id }) => id)).not.toContain(grant?.id);
    expect((await testApp.call(member, accounts.revokeToken, { params: { token_id: grant?.id ?? 0 } })).status).toBe(404);
    const row = await testApp.database.read
      .selectFrom("api_tokens")
      .select("public_id")
      .where("id", "=", grant?.id ?? 0)
      .executeTakeFirstOrThrow();
    for (const secret of ["", "x".repeat(43)])
      expect((await testApp.call(bearerCaller("x", `tb_pat_${row.public_id}_${secret}`), getSession)).status).toBe(401);
  });

  describe("on the live channel", () => {
    it.each(["disconnected", "revoked by the app", "used twice"])("lose their connection when they are %s", async (how) => {
      const { testApp, member } = fixtures;
      const app = await connectApp(testApp, member, ["account:read"]);
      const { ticket } = (await testApp.call(app, liveTicket)).response.data;
      const sockets = [await openSocket(testApp.app.server, app), await openSocket(testApp.app.server, { headers: {} }, `?ticket=${ticket}`)];
      for (const socket of sockets) expect(await socket.subscribe(`account:${member.id}`)).toHaveProperty("subscribed");
      if (how === "disconnected") await testApp.call(member, oauth.revokeGrant, { params: { grant_id: (await grantsOf(member))[0]?.id ?? 0 } });
      if (how === "revoked by the app") await testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: app.accessToken, client_id: app.client.id } });
      if (how === "used twice") {
        await refreshTokens(testApp, app.client, app.refreshToken);
        testApp.clock.advance(HOUR / 2);
        await refreshTokens(testApp, app.client, app.refreshToken);
      }
      for (const socket of sockets) expect(await socket.waitUntilClosed()).toBe(4401);
    });

    it("follow what their access token allows, which may be less than the connection", async () => {
      const { testApp, member, home } = fixtures;
      const app = await insertApp(testApp, member.id, ["account:read"], { grantScopes: ["account:read", "chat:read", "files:read"] });
      const { ticket } = (await testApp.call(app, liveTicket)).response.data;
      const socket = await openSocket(testApp.app.server, { headers: {} }, `?ticket=${ticket}`);
      const {
        data: { id },
      } = (await testApp.call(member, sendMessage, { body: { project_id: home.project, body: "not for every app" } })).response;
      await socket.subscribe(`project:${home.project}`, 0);
      expect(JSON.stringify(socket.frames)).not.toContain("not for every app");
      expect(id).toBeGreaterThan(0);
      await socket.close();
    });
  });

  it("are recorded: who agreed, and what ended them", async () => {
    const { testApp, owner } = fixtures;
    const app = await connectApp(testApp, owner, ["chat:read"]);
    await testApp.call(owner, oauth.revokeGrant, { params: { grant_id: (await grantsOf(owner))[0]?.id ?? 0 } });
    const { data } = (await testApp.call(owner, listAuditEntries, { query: { group: "credentials", limit: "2" } })).response;
    expect(data).toMatchObject([
      { action: "app.disconnected", account: { id: owner.id }, target: { type: "token", name: "Cutlist" } },
      { action: "app.connected", account: { id: owner.id }, target: { name: "Cutlist" }, detail: { client_id: app.client.id, scopes: ["chat:read"] } },
    ]);
  });

  it("are at most ten for one app and person: a newer one ends the oldest", async () => {
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

  it("are recorded only when the app takes up what it was allowed", async () => {
    const { testApp, owner } = fixtures;
    const client = await registerApp(testApp);
    const verifier = createVerifier();
    const code = await requestCode(testApp, owner, client, verifier, ["chat:read"]);
    const latest = async () => (await testApp.call(owner, listAuditEntries, { query: { group: "credentials", limit: "1" } })).response.data[0];
    expect(await latest()).not.toMatchObject({ action: "app.connected", detail: { client_id: client.id } });
    await exchangeCode(testApp, client, code, verifier);
    expect(await latest()).toMatchObject({ action: "app.connected", account: { id: owner.id }, detail: { client_id: client.id, scopes: ["chat:read"] } });
  });

  it("are a hundred at most, of one person", async () => {
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

  it("are connected at most 60 times an hour, and a network registers at most 30 in an hour", async () => {
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

  it("registrations are ten thousand at most: the oldest without a connection makes way, if it is older than an hour", async () => {
    const { testApp, guest } = fixtures;
    const used = await registerApp(testApp);
    const kept = await connectApp(testApp, guest, ["chat:read"], used);
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
    expect((await refreshTokens(testApp, used, kept.refreshToken)).status).toBe(200);
    const names = await testApp.database.read
      .selectFrom("oauth_clients")
      .select("public_id")
      .where("public_id", "in", ["filler 0", "filler 1", used.id, ended.client.id])
      .execute();
    expect(names.map(({ public_id }) => public_id).toSorted()).toEqual(["filler 1", used.id].toSorted());
  });

  it("a failed commit leaves the refresh token as it was", async () => {
    const { testApp, member } = fixtures;
    const app = await connectApp(testApp, member);
    const reply = await failing.withFailingCommits(() => refreshTokens(testApp, app.client, app.refreshToken));
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([500, { error: "server_error" }]);
    expect((await refreshTokens(testApp, app.client, app.refreshToken)).status).toBe(200);
  });

  it("leave no secret in the log", async () => {
    const { testApp, member } = fixtures;
    const client = await registerApp(testApp);
    const verifier = createVerifier();
    const code = await requestCode(testApp, member, client, verifier);
    const secrets = [verifier, code];
    const failed = await failing.withFailingCommits(() => exchangeCode(testApp, client, code, verifier));
    expect(failed.status).toBe(500);
    const { response } = await exchangeCode(testApp, client, code, verifier);
    secrets.push(response.access_token, response.refresh_token ?? "");
    await failing.withFailingCommits(() => refreshTokens(testApp, client, response.refresh_token ?? ""));
    await failing.withFailingCommits(() =>
      testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: response.refresh_token ?? "", client_id: client.id } }),
    );
    const text = log.join("\n");
    expect(text).toContain("the commit failed");
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/tb_(at|rt|pat)_/);
  });

  // Last, because all sessions expire meanwhile.
  it("are deleted in the end, with their tokens and codes and with registrations that nobody used", async () => {
    const { testApp, member } = fixtures;
    const { database, clock, app } = testApp;
    const prune = app.scheduledJobs["delete old OAuth records"]!;
    const count = async (table: "oauth_clients" | "oauth_codes" | "oauth_tokens") =>
      Number(
        (
          await database.read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as("count"))
            .executeTakeFirstOrThrow()
        ).count,
      );
    const countGrants = async () => (await database.read.selectFrom("api_tokens").select("id").where("client_id", "is not", null).execute()).length;
    const unused = await registerApp(testApp);
    const used = await connectApp(testApp, member);
    const exists = async (id: string) => (await database.read.selectFrom("oauth_clients").select("id").where("public_id", "=", id).execute()).length === 1;

    clock.advance(7 * DAY);
    await prune();
    expect([await exists(unused.id), await count("oauth_codes")]).toEqual([true, 0]);
    clock.advance(1);
    await prune();
    expect([await exists(unused.id), await exists(used.client.id)]).toEqual([false, true]);
    const refreshed = await refreshTokens(testApp, used.client, used.refreshToken);
    expect(refreshed.status).toBe(200);
    // Used refresh tokens stay, so that using one again is noticed.
    await prune();
    expect((await refreshTokens(testApp, used.client, used.refreshToken)).status).toBe(400);

    clock.advance(32 * DAY);
    await prune();
    expect([await count("oauth_tokens"), (await countGrants()) > 0]).toEqual([0, true]);
    clock.advance(400 * DAY);
    await prune();
    // A registration whose connections are gone is as unused as one that nobody ever used.
    expect([await countGrants(), await count("oauth_clients")]).toEqual([0, 0]);
  });
});
