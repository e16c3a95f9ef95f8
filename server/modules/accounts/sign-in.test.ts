/** Tests first-run setup, passwords, throttling and sessions with a movable clock. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import { listAuditEntries } from "../../../contract/operations/audit.ts";
import * as session from "../../../contract/operations/session.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createSession, PASSWORD, signIn, tokenFromUrl, createApiToken } from "../../testing/people.ts";
import { stateFingerprint } from "../../testing/state-fingerprint.ts";
import { startTestApp, type TestApp } from "../../testing/test-app.ts";
import { hashPassword } from "./passwords.ts";
import { throttleBuckets } from "./throttle.ts";

const WRONG_PASSWORD = "not this one at all";

describe.each(ENGINES)("first run on %s", { timeout: 30_000 }, (engine) => {
  const setupInput = (testApp: TestApp, name = "owner") => ({
    token: testApp.app.setupToken,
    organisation: name,
    username: name,
    email: `${name}@talkback.test`,
    password: PASSWORD,
  });
  const setUp = (testApp: TestApp, overrides: object = {}, name = "owner") =>
    testApp.call(ANONYMOUS, session.setUp, { body: { ...setupInput(testApp, name), ...overrides } });

  it("the setup link in the log creates the owner once", async () => {
    const testApp = await startTestApp(engine);
    const isSetupRequired = async () => (await testApp.call(ANONYMOUS, session.getService)).response.data.setup_required;
    expect(await isSetupRequired()).toBe(true);
    const before = await stateFingerprint(testApp.database);
    expect((await setUp(testApp, { token: "x".repeat(43) })).status).toBe(403);
    expect(await stateFingerprint(testApp.database)).toBe(before);
    const reply = await setUp(testApp);
    expect(reply.response.data).toMatchObject({ role: "owner", account: { username: "owner" }, organisation: { name: "owner" } });
    expect(reply.text).not.toContain(PASSWORD);
    expect(await isSetupRequired()).toBe(false);
    expect((await setUp(testApp, {}, "second")).status).toBe(409);
    expect((await testApp.database.read.selectFrom("accounts").select("password_hash").execute())[0]?.password_hash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    );
    await testApp.close();
  });
  it("simultaneous setups create one owner and one organization", async () => {
    const testApp = await startTestApp(engine);
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => setUp(testApp, {}, `owner${index}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(await testApp.database.read.selectFrom("organisations").select("id").execute()).toHaveLength(1);
    await testApp.close();
  });
  it("guesses of the setup link are limited", async () => {
    const testApp = await startTestApp(engine);
    for (let count = 0; count < 10; count += 1) expect((await setUp(testApp, { token: `guess ${count}` })).status).toBe(403);
    expect((await setUp(testApp)).status).toBe(429);
    testApp.clock.advance(15 * MINUTE);
    expect((await setUp(testApp)).status).toBe(200);
    await testApp.close();
  });
});

describe.each(ENGINES)("sign-in on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  const attemptSignIn = (login: string, password = PASSWORD, address = "192.0.2.1") =>
    fixtures.testApp.call(ANONYMOUS, session.signIn, { body: { login, password } }, { address });
  const sessionStatus = async (caller: Caller) => (await fixtures.testApp.call(caller, session.getSession)).status;

  it("after ten wrong passwords even the right one returns 429 for 15 minutes", async () => {
    for (let count = 0; count < 10; count += 1) expect((await attemptSignIn("member", WRONG_PASSWORD)).status).toBe(401);
    const throttled = await attemptSignIn("member", PASSWORD);
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers["retry-after"])).toBe(15 * 60);
    expect((await attemptSignIn("MEMBER", PASSWORD)).status).toBe(429);
    expect((await attemptSignIn("guest", PASSWORD)).status).toBe(429);
    expect((await attemptSignIn("member", PASSWORD, "192.0.2.2")).status).toBe(200);
    fixtures.testApp.clock.advance(15 * MINUTE - 1);
    expect((await attemptSignIn("member")).status).toBe(429);
    fixtures.testApp.clock.advance(1);
    expect((await attemptSignIn("member")).status).toBe(200);
  });
  it("simultaneous guesses count toward the limit", async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => attemptSignIn("guest", WRONG_PASSWORD, "198.51.100.7")));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
  });
  it("many people at one address can sign in at the same time", async () => {
    const replies = await Promise.all(
      [fixtures.owner, fixtures.admin, fixtures.member, fixtures.guest].flatMap(({ name }) =>
        Array.from({ length: 4 }, () => attemptSignIn(name, PASSWORD, "198.51.100.8")),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  });
  it("an IPv6 network counts as one address", async () => {
    for (let count = 0; count < 10; count += 1) await attemptSignIn("admin", WRONG_PASSWORD, `2001:db8::${count}`);
    expect((await attemptSignIn("admin", PASSWORD, "2001:db8::ffff")).status).toBe(429);
    expect((await attemptSignIn("admin", PASSWORD, "2001:db8:0:1::1")).status).toBe(200);
  });
  it("larger IPv6 networks have limits of their own, which rise with their size", async () => {
    const { testApp } = fixtures;
    testApp.clock.advance(DAY);
    const guess = async (address: string) => (await attemptSignIn("nobody at all", WRONG_PASSWORD, address)).status;
    /** Adds earlier failures of the network at this level, because verifying so many passwords would take long. */
    const addFailures = (address: string, level: number, count: number) => {
      const { name } = throttleBuckets.failedSignIns(address)[level]!;
      const rows = Array.from({ length: count }, () => ({ bucket: name, created_at: testApp.clock.now() }));
      return testApp.database.write((tx) => tx.insertInto("attempts").values(rows).execute());
    };
    expect(throttleBuckets.failedSignIns("2001:db8:56::1").map(({ max }) => max)).toEqual([10, 30, 90]);
    // Each guess comes from another /64 of one /56, then from another /56 of one /48.
    await addFailures("2001:db8:56::1", 1, 28);
    expect([await guess("2001:db8:56:1::1"), await guess("2001:db8:56:2::1"), await guess("2001:db8:56:3::1")]).toEqual([401, 401, 429]);
    expect(await guess("2001:db8:56:100::1")).toBe(401);
    await addFailures("2001:db8:56::1", 2, 86);
    expect([await guess("2001:db8:56:200::1"), await guess("2001:db8:56:300::1")]).toEqual([401, 429]);
    expect(await guess("2001:db8:57::1")).toBe(401);
  });
  it("an account takes 100 failures an hour from all networks, then only sign-ins from networks and browsers that it knows", async () => {
    const { testApp, neighbor } = fixtures;
    testApp.clock.advance(DAY);
    const known = "203.0.113.1";
    expect((await attemptSignIn(neighbor.email, PASSWORD, known)).status).toBe(200);
    const browser = await createSession(testApp, neighbor.id, "neighbor");
    const unknown = "no-such-person@talkback.test";
    for (const [login, counted] of [
      [neighbor.email, neighbor.id],
      [unknown, unknown],
    ] as const) {
      // The failures of an hour from other networks, without the time that verifying a hundred passwords takes.
      const earlier = Array.from({ length: 96 }, () => ({ bucket: throttleBuckets.signInsOfAccount(counted).name, created_at: testApp.clock.now() }));
      await testApp.database.write((tx) => tx.insertInto("attempts").values(earlier).execute());
      for (let count = 0; count < 4; count += 1)
        expect((await attemptSignIn(login, WRONG_PASSWORD, `100.64.${count}.1`)).status, `${login} ${count}`).toBe(401);
      const refused = await attemptSignIn(login, PASSWORD, "100.65.0.1");
      expect(refused.status).toBe(429);
      expect(refused.problem.detail).toMatch(
        /^Too many failed attempts\. Try again in 60 minutes\. Sign in from a browser or network that you have used before/,
      );
    }
    expect((await attemptSignIn(neighbor.email, PASSWORD, known)).status).toBe(200);
    const body = { login: neighbor.email, password: PASSWORD };
    expect((await testApp.call(browser, session.signIn, { body }, { address: "100.65.0.2" })).status).toBe(200);
    // A session of somebody else is none of this account's.
    const stranger = await createSession(testApp, fixtures.guest.id, "guest");
    expect((await testApp.call(stranger, session.signIn, { body }, { address: "100.65.0.3" })).status).toBe(429);
    testApp.clock.advance(60 * MINUTE);
    expect((await attemptSignIn(neighbor.email, PASSWORD, "100.65.0.4")).status).toBe(200);
  });
  it("somebody who takes a person's address in another organization locks nobody but themselves out", async () => {
    const { testApp, guest, foreignGuest } = fixtures;
    testApp.clock.advance(DAY);
    const own = "203.0.113.9";
    expect((await attemptSignIn(guest.email, PASSWORD, own)).status).toBe(200);
    const foreignPassword = "only in the other organization";
    const before = await testApp.database.read.selectFrom("accounts").selectAll().where("id", "=", foreignGuest.id).executeTakeFirstOrThrow();
    const password_hash = await hashPassword(foreignPassword);
    const setForeign = (values: Partial<typeof before>) =>
      testApp.database.write((tx) => tx.updateTable("accounts").set(values).where("id", "=", foreignGuest.id).execute());
    await setForeign({ email: guest.email, email_key: guest.email, password_hash });
    const fill = (accountId: number) => {
      const rows = Array.from({ length: 100 }, () => ({ bucket: throttleBuckets.signInsOfAccount(accountId).name, created_at: testApp.clock.now() }));
      return testApp.database.write((tx) => tx.insertInto("attempts").values(rows).execute());
    };
    await fill(foreignGuest.id);
    // The full account is left out, whether or not its password fits.
    expect((await attemptSignIn(guest.email, PASSWORD, own)).response.data.account.id).toBe(guest.id);
    expect((await attemptSignIn(guest.email, PASSWORD, "100.66.0.1")).response.data.account.id).toBe(guest.id);
    // Whoever knows only the password of the full account learns why it is refused and what to do, and costs others of the network nothing.
    const advice = /^Too many failed attempts\. Try again in 60 minutes\. Sign in from a browser or network that you have used before/;
    const failuresOf = async (address: string, accountId: number) => {
      const { name } = throttleBuckets.signInsOfName(guest.email, address);
      const buckets = [throttleBuckets.failedSignIns(address)[0]!.name, name, throttleBuckets.signInsOfAccount(accountId).name];
      const rows = await testApp.database.read.selectFrom("attempts").select("bucket").where("bucket", "in", buckets).execute();
      return buckets.map((bucket) => rows.filter((row) => row.bucket === bucket).length);
    };
    for (const password of [foreignPassword, WRONG_PASSWORD]) {
      const refused = await attemptSignIn(guest.email, password, "100.66.0.2");
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "3600"]);
      expect(refused.problem.detail).toMatch(advice);
    }
    // As guesses at the other account they count, so that nobody fills an account of their own to guess without a limit.
    expect(await failuresOf("100.66.0.2", guest.id)).toEqual([0, 2, 2]);
    for (let count = 0; count < 8; count += 1) await attemptSignIn(guest.email, WRONG_PASSWORD, "100.66.0.2");
    expect((await attemptSignIn(guest.email, PASSWORD, "100.66.0.2")).problem.detail).toBe("Too many failed attempts. Try again in 15 minutes.");
    const bursts = await testApp.database.read
      .selectFrom("audit")
      .select("target")
      .where("action", "=", "sign_in.failed")
      .where("address", "=", "100.66.0.2")
      .execute();
    expect(bursts).toEqual([{ target: `account:${guest.id}` }]);
    expect((await attemptSignIn(fixtures.member.email, PASSWORD, "100.66.0.2")).status).toBe(200);
    await fill(guest.id);
    expect((await attemptSignIn(guest.email, PASSWORD, own)).response.data.account.id).toBe(guest.id);
    expect((await attemptSignIn(guest.email, PASSWORD, "100.66.0.3")).status).toBe(429);
    await setForeign(before);
  });
  it("an account signs in a hundred times an hour, then the right password is a 429 that counts as no failure", async () => {
    const { testApp, neighbor, member } = fixtures;
    testApp.clock.advance(DAY);
    const rows = Array.from({ length: 98 }, () => ({ bucket: throttleBuckets.passwordSignIns(neighbor.id).name, created_at: testApp.clock.now() }));
    await testApp.database.write((tx) => tx.insertInto("attempts").values(rows).execute());
    const address = "203.0.113.77";
    const count = async () => (await testApp.database.read.selectFrom("sessions").select("id").where("account_id", "=", neighbor.id).execute()).length;
    for (let index = 0; index < 2; index += 1) expect((await attemptSignIn(neighbor.email, PASSWORD, address)).status).toBe(200);
    const before = await count();
    for (let index = 0; index < 12; index += 1) {
      const refused = await attemptSignIn(neighbor.email, PASSWORD, address);
      expect([refused.status, refused.headers["retry-after"], refused.problem.detail]).toEqual([
        429,
        "3600",
        "Too many sign-ins. Try again in 60 minutes. A program should use an API token, which needs no sign-in.",
      ]);
    }
    expect(await count()).toBe(before);
    expect((await attemptSignIn(neighbor.email, WRONG_PASSWORD, address)).status).toBe(401);
    expect((await attemptSignIn(member.email, PASSWORD, address)).status).toBe(200);
    testApp.clock.advance(60 * MINUTE);
    expect((await attemptSignIn(neighbor.email, PASSWORD, address)).status).toBe(200);
  });
  it("a burst of failures is one entry of the audit log for each account and network", async () => {
    const { testApp, owner, member } = fixtures;
    testApp.clock.advance(DAY);
    const bursts = async () => {
      const query = { account_id: String(member.id), group: "sign_in" } as const;
      const { data } = (await testApp.call(await createSession(testApp, owner.id, "owner"), listAuditEntries, { query })).response;
      return data.filter(({ action, created_at }) => action === "sign_in.failed" && Date.parse(created_at) > testApp.clock.now() - DAY);
    };
    for (let count = 0; count < 4; count += 1) await attemptSignIn(member.email, WRONG_PASSWORD, "198.51.100.60");
    expect(await bursts()).toEqual([]);
    for (let count = 0; count < 6; count += 1) await attemptSignIn(member.email, WRONG_PASSWORD, "198.51.100.60");
    for (let count = 0; count < 3; count += 1) await attemptSignIn(member.email, WRONG_PASSWORD, `2001:db8:60::${count}`);
    expect((await bursts()).map(({ address, account, target, detail }) => [address, account, target.id, detail["count"]])).toEqual([
      ["2001:db8:60::/64", null, member.id, 3],
      ["198.51.100.60", null, member.id, 10],
    ]);
    testApp.clock.advance(2 * 60 * MINUTE);
    for (let count = 0; count < 5; count += 1) await attemptSignIn(member.email, WRONG_PASSWORD, "198.51.100.60");
    expect((await bursts()).map(({ detail }) => detail["count"])).toEqual([5, 3, 10]);
  });
  it("a username equal to another person's email address does not block their sign-in", async () => {
    const { testApp, neighbor, owner } = fixtures;
    await testApp.database.write((tx) =>
      tx.updateTable("accounts").set({ username: owner.email, username_key: owner.email }).where("id", "=", neighbor.id).execute(),
    );
    expect((await attemptSignIn(owner.email)).response.data.account.id).toBe(owner.id);
  });
  it("only the right password reveals that an account is disabled", async () => {
    const { testApp, owner, guestNextDoor } = fixtures;
    await testApp.call(owner, accounts.updateMember, { params: { account_id: guestNextDoor.id }, body: { disabled: true } });
    expect((await attemptSignIn(guestNextDoor.email, WRONG_PASSWORD)).status).toBe(401);
    expect((await attemptSignIn(guestNextDoor.email)).status).toBe(403);
  });

  describe("sessions", () => {
    it("end after 14 days without use", async () => {
      const [used, unused] = [
        await createSession(fixtures.testApp, fixtures.member.id, "used"),
        await createSession(fixtures.testApp, fixtures.member.id, "unused"),
      ];
      fixtures.testApp.clock.advance(13 * DAY);
      expect(await sessionStatus(used)).toBe(200);
      // `last_seen_at` is written asynchronously.
      await expect
        .poll(
          async () =>
            (await fixtures.testApp.database.read.selectFrom("sessions").select("last_seen_at").where("id", "=", used.id).executeTakeFirstOrThrow())
              .last_seen_at,
        )
        .toBe(fixtures.testApp.clock.now());
      fixtures.testApp.clock.advance(DAY);
      expect([await sessionStatus(used), await sessionStatus(unused)]).toEqual([200, 401]);
      const [ownSession] = (await fixtures.testApp.call(used, session.listSessions)).response.data;
      expect(ownSession).toMatchObject({ id: used.id, current: true });
    });
    it("end after 90 days even if used", async () => {
      const caller = await createSession(fixtures.testApp, fixtures.member.id, "busy");
      for (let day = 0; day < 90; day += 10) {
        expect(await sessionStatus(caller)).toBe(200);
        const now = fixtures.testApp.clock.now();
        await expect
          .poll(
            async () =>
              (await fixtures.testApp.database.read.selectFrom("sessions").select("last_seen_at").where("id", "=", caller.id).executeTakeFirstOrThrow())
                .last_seen_at,
          )
          .toBe(now);
        fixtures.testApp.clock.advance(10 * DAY);
      }
      expect(await sessionStatus(caller)).toBe(401);
      await signIn(fixtures.testApp, "member");
      expect(await fixtures.testApp.database.read.selectFrom("sessions").select("id").where("id", "=", caller.id).execute()).toEqual([]);
    });
    it("signing out everywhere ends all sessions and keeps API tokens", async () => {
      const callers = await Promise.all([1, 2, 3].map((count) => createSession(fixtures.testApp, fixtures.guest.id, `guest ${count}`)));
      const token = await createApiToken(fixtures.testApp, callers[0] as Caller);
      const reply = await fixtures.testApp.call(callers[1] as Caller, session.endAllSessions);
      expect(String(reply.headers["set-cookie"])).toMatch(/^talkback=; Max-Age=0; Path=\//);
      for (const caller of callers) expect(await sessionStatus(caller)).toBe(401);
      expect(await sessionStatus(token)).toBe(200);
    });
    it("changing the password ends every other session", async () => {
      const [thisSession, otherSession] = [
        await createSession(fixtures.testApp, fixtures.foreignMember.id, "here"),
        await createSession(fixtures.testApp, fixtures.foreignMember.id, "there"),
      ];
      const newPassword = "a wholly new password";
      expect(
        (await fixtures.testApp.call(thisSession, accounts.changePassword, { body: { current_password: PASSWORD, new_password: newPassword } })).status,
      ).toBe(204);
      expect([await sessionStatus(thisSession), await sessionStatus(otherSession)]).toEqual([200, 401]);
      expect((await attemptSignIn(fixtures.foreignMember.email)).status).toBe(401);
      expect((await attemptSignIn(fixtures.foreignMember.email, newPassword)).status).toBe(200);
    });
    it("of two changes at once only one counts, since the other one began with a password that is no longer the current one", async () => {
      const person = fixtures.foreignAdmin;
      const callers = [await createSession(fixtures.testApp, person.id, "one"), await createSession(fixtures.testApp, person.id, "two")];
      const replies = await Promise.all(
        callers.map((caller, index) =>
          fixtures.testApp.call(caller, accounts.changePassword, { body: { current_password: PASSWORD, new_password: `another password ${index}` } }),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([204, 403]);
    });
    it("guesses of the current password are limited", async () => {
      const caller = await createSession(fixtures.testApp, fixtures.foreignGuest.id, "stolen");
      const guessPassword = () =>
        fixtures.testApp.call(caller, accounts.changePassword, { body: { current_password: WRONG_PASSWORD, new_password: PASSWORD } });
      for (let count = 0; count < 10; count += 1) expect((await guessPassword()).status).toBe(403);
      expect((await guessPassword()).status).toBe(429);
    });
    it("an API token ends when it expires", async () => {
      const owner = await createSession(fixtures.testApp, fixtures.owner.id, "owner");
      const token = await createApiToken(fixtures.testApp, owner, ["account:read"], new Date(fixtures.testApp.clock.now() + DAY).toISOString());
      expect(await sessionStatus(token)).toBe(200);
      fixtures.testApp.clock.advance(DAY);
      expect(await sessionStatus(token)).toBe(401);
    });
  });

  it("a reset link ends after a day or when the role changes", async () => {
    const { testApp } = fixtures;
    const owner = await createSession(testApp, fixtures.owner.id, "owner");
    const params = { account_id: fixtures.admin.id };
    const createResetToken = async () => tokenFromUrl((await testApp.call(owner, accounts.createPasswordReset, { params })).response.data.url);
    const resetPassword = (token: string) => testApp.call(ANONYMOUS, session.resetPassword, { body: { token, password: PASSWORD } });
    const expired = await createResetToken();
    testApp.clock.advance(DAY);
    expect((await resetPassword(expired)).status).toBe(404);
    const fresh = await createResetToken();
    await testApp.call(owner, accounts.updateMember, { params, body: { role: "owner" } });
    expect((await resetPassword(fresh)).status).toBe(404);
    expect((await resetPassword(await createResetToken())).response.data.role).toBe("owner");
  });
  it("a reset link used several times at once works once", async () => {
    const { testApp } = fixtures;
    const owner = await createSession(testApp, fixtures.owner.id, "owner");
    const token = tokenFromUrl((await testApp.call(owner, accounts.createPasswordReset, { params: { account_id: fixtures.member.id } })).response.data.url);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        testApp.call(ANONYMOUS, session.resetPassword, { body: { token, password: PASSWORD } }, { address: `203.0.113.${index}` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
  });
});
