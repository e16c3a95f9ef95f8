/** Tests the live channel of connected apps. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendMessage } from "../../../contract/operations/chat.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { liveTicket } from "../../../contract/operations/session.ts";
import { HOUR } from "../../lib/clock.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { openSocket, waitUntil } from "../../testing/live.ts";
import { connectApp, insertApp, refreshTokens } from "../../testing/oauth.ts";
import { ACCESS_TOKEN_TTL_MS } from "./tokens.ts";

describe.each(ENGINES)("the live channel of apps on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => {
    // An expiry emits no event: only the recheck finds it.
    fixtures = await createFixtures(engine, { liveTiming: { recheckMs: 50 } });
    await fixtures.testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  const grantsOf = async (caller: Fixtures["member"]) => (await fixtures.testApp.call(caller, oauth.listGrants)).response.data;

  it.each(["disconnected", "revoked by the app", "used twice", "expired"])("closes the sockets of an app that is %s", async (how) => {
    const { testApp, member } = fixtures;
    const app = await connectApp(testApp, member, ["account:read"]);
    const { ticket } = (await testApp.call(app, liveTicket)).response.data;
    const sockets = [await openSocket(testApp.app.server, app), await openSocket(testApp.app.server, { headers: {} }, `?ticket=${ticket}`)];
    for (const socket of sockets) expect(await socket.subscribe(`account:${member.id}`)).toHaveProperty("subscribed");
    if (how === "disconnected") await testApp.call(member, oauth.revokeGrant, { params: { grant_id: (await grantsOf(member))[0]?.id ?? 0 } });
    if (how === "revoked by the app") await testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: app.accessToken, client_id: app.client.id } });
    if (how === "expired") testApp.clock.advance(ACCESS_TOKEN_TTL_MS);
    if (how === "used twice") {
      await refreshTokens(testApp, app.client, app.refreshToken);
      testApp.clock.advance(HOUR / 2);
      await refreshTokens(testApp, app.client, app.refreshToken);
    }
    for (const socket of sockets) expect(await socket.waitUntilClosed()).toBe(4401);
  });

  it("shows what the access token allows, which may be less than the connection", async () => {
    const { testApp, member, home } = fixtures;
    const topic = `project:${home.project}`;
    await testApp.call(member, sendMessage, { body: { project_id: home.project, body: "not for every app" } });
    const { seq } = await testApp.database.read.selectFrom("topics").select("seq").where("topic", "=", topic).executeTakeFirstOrThrow();
    const grantScopes = ["account:read", "chat:read"] as const;
    for (const scopes of [grantScopes, ["account:read"] as const]) {
      const app = await insertApp(testApp, member.id, scopes, { grantScopes });
      const { ticket } = (await testApp.call(app, liveTicket)).response.data;
      const socket = await openSocket(testApp.app.server, { headers: {} }, `?ticket=${ticket}`);
      await socket.subscribe(topic, 0);
      await waitUntil(() => socket.seqs(topic).includes(seq), "the message's event");
      expect(JSON.stringify(socket.frames).includes("not for every app")).toBe(scopes === grantScopes);
      await socket.close();
    }
  });
});
