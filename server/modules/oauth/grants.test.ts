/** Tests what connected apps can do, what is recorded of them, and what the log has. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatHistory, sendMessage } from "../../../contract/operations/chat.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { listAuditEntries } from "../../../contract/operations/audit.ts";
import { getSession } from "../../../contract/operations/session.ts";
import { listWebhookEndpoints } from "../../../contract/operations/webhooks.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFailingDatabase } from "../../testing/failing-database.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { connectApp, createVerifier, exchangeCode, refreshTokens, registerApp, requestCode } from "../../testing/oauth.ts";
import { joinTeam } from "../../testing/people.ts";
import { bearerCaller } from "../../testing/test-app.ts";
import { REFRESH_IDLE_MS, REUSE_GRACE_MS } from "./tokens.ts";

describe.each(ENGINES)("connected apps on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  const log: string[] = [];
  const failing = createFailingDatabase(engine);
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { connect: failing.connect, environment: { LOG_LEVEL: "trace" }, onLog: (line) => void log.push(line) });
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

  it("are recorded when the app exchanges its code, and their end only then", async () => {
    const { testApp, owner } = fixtures;
    const client = await registerApp(testApp);
    const verifier = createVerifier();
    const code = await requestCode(testApp, owner, client, verifier, ["chat:read"]);
    const latest = async () => (await testApp.call(owner, listAuditEntries, { query: { group: "credentials", limit: "1" } })).response.data[0];
    expect(await latest()).not.toMatchObject({ action: "app.connected", detail: { client_id: client.id } });
    await exchangeCode(testApp, client, code, verifier);
    expect(await latest()).toMatchObject({ action: "app.connected", account: { id: owner.id }, detail: { client_id: client.id, scopes: ["chat:read"] } });
    const before = await latest();
    // A wrong verifier uses the code up, so that there is a reuse without a connection.
    const unused = await requestCode(testApp, owner, client, verifier, ["chat:read"]);
    await exchangeCode(testApp, client, unused, createVerifier());
    testApp.clock.advance(REUSE_GRACE_MS + 1);
    expect((await exchangeCode(testApp, client, unused, verifier)).status).toBe(400);
    expect(await latest()).toEqual(before);
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
  it("are not recorded as ended by a reuse after they have expired", async () => {
    const { testApp, owner, home } = fixtures;
    const app = await connectApp(testApp, await joinTeam(testApp, owner, "idler", { team: home.team, role: "member" }), ["chat:read"]);
    await refreshTokens(testApp, app.client, app.refreshToken);
    const countReuses = async () => (await testApp.database.read.selectFrom("audit").select("id").where("action", "=", "app.token_reused").execute()).length;
    const before = await countReuses();
    testApp.clock.advance(REFRESH_IDLE_MS);
    expect((await refreshTokens(testApp, app.client, app.refreshToken)).status).toBe(400);
    expect(await countReuses()).toBe(before);
  });
});
