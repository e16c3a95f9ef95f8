/** Tests the hourly job that deletes old codes, tokens, grants and registrations. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as oauth from "../../../contract/operations/oauth.ts";
import { DAY } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { connectApp, createVerifier, exchangeCode, refreshTokens, registerApp, requestCode } from "../../testing/oauth.ts";
import { CODE_TTL_MS } from "./authorization.ts";

describe.each(ENGINES)("the hourly job of OAuth on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  it("deletes grants whose code nobody has exchanged a day after the code has expired", async () => {
    const { testApp, guest } = fixtures;
    const { database, clock, app } = testApp;
    const prune = app.scheduledJobs["delete old OAuth records"]!;
    const [client, verifier] = [await registerApp(testApp), createVerifier()];
    const exchanged = await connectApp(testApp, guest, ["account:read"], client);
    await requestCode(testApp, guest, client, verifier, ["account:read"]);
    const refused = await requestCode(testApp, guest, client, verifier, ["account:read"]);
    expect((await exchangeCode(testApp, client, refused, createVerifier())).status).toBe(400);
    const countGrants = async () => (await database.read.selectFrom("api_tokens").select("id").where("account_id", "=", guest.id).execute()).length;
    const countApps = async () => (await testApp.call(guest, oauth.listGrants)).response.data.length;
    expect([await countGrants(), await countApps()]).toEqual([3, 1]);
    clock.advance(CODE_TTL_MS + DAY);
    await prune();
    expect([await countGrants(), await countApps()]).toEqual([3, 1]);
    clock.advance(1);
    await prune();
    expect([await countGrants(), await countApps()]).toEqual([1, 1]);
    expect((await refreshTokens(testApp, client, exchanged.refreshToken)).status).toBe(200);
  });

  it("deletes codes, tokens and grants after their end, and registrations that nobody used", async () => {
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
