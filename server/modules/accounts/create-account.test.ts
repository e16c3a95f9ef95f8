/** Tests names and email addresses: which are free, and that the password decides between accounts with the same address. */
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as session from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { DAY } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createInvite, createSession, joinTeam, PASSWORD } from "../../testing/people.ts";
import { findLookAlike } from "./create-account.ts";
import { hashPassword } from "./passwords.ts";

test.each([
  ["owner", "\u043ewner"],
  ["owner", "OWNER"],
  ["owner", "ｏｗｎｅｒ"],
  ["owner", "𝐨𝐰𝐧𝐞𝐫"],
  ["admin", "adrnin"],
  ["Ivan", "lvan"],
  ["Mia  Berg", "Mia Berg"],
  ["Mia Berg", "Mia\u00a0Berg"],
  ["Straße", "STRASSE"],
  ["paypal", "\u0440\u0430\u0443\u0440\u0430l"],
])("%s and %s look alike", (left, right) => expect([findLookAlike(left, [right]), findLookAlike(right, ["x", left])]).toEqual([right, left]));
test.each([
  ["Kai", "Kal"],
  ["owner", "owners"],
  ["José", "Jose"],
  ["Анна", "Инна"],
  ["Zoë", "Zoé"],
])("%s and %s do not look alike", (left, right) => expect(findLookAlike(left, [right])).toBeUndefined());

test("a name is compared with thousands of others without computing their skeletons again", () => {
  const normalize = vi.spyOn(String.prototype, "normalize");
  const others = Array.from({ length: 3_000 }, (_, index) => `colleague ${index}`);
  const countCalls = (name: string): number => {
    normalize.mockClear();
    findLookAlike(name, others);
    return normalize.mock.calls.length;
  };
  const first = countCalls("first");
  const [again, anotherName] = [countCalls("first"), countCalls("second")];
  normalize.mockRestore();
  expect(first).toBeGreaterThan(others.length);
  expect([again < 10, anotherName < 10]).toEqual([true, true]);
});

describe.each(ENGINES)("names and email addresses on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const accept = (token: string, username: string, email: string) =>
    fixtures.testApp.call(ANONYMOUS, teams.acceptInvite, { body: { token, username, email, password: PASSWORD } });
  const invite = (email?: string) => createInvite(fixtures.testApp, fixtures.owner, { team: fixtures.home.team, role: "member", ...(email ? { email } : {}) });
  const rename = (caller: Caller, body: { username?: string; email?: string }) => fixtures.testApp.call(caller, accounts.updateAccount, { body });
  const signIn = (login: string, password = PASSWORD, organisationId?: number) =>
    fixtures.testApp.call(ANONYMOUS, session.signIn, {
      body: { login, password, ...(organisationId === undefined ? {} : { organisation_id: organisationId }) },
    });

  it("a name that looks like a colleague's is refused, when joining and when renaming", async () => {
    const { testApp, guest, foreignMember } = fixtures;
    for (const username of ["\u043ewner", "0wner", "owner\u200D", "owner\u3164", "owner\uFE0F"]) {
      const reply = await rename(guest, { username });
      expect([400, 409], username).toContain(reply.status);
      expect(reply.problem.errors?.[0]?.path).toBe("username");
    }
    const token = await invite();
    const refused = await accept(token, "\u043ewner", "new@talkback.test");
    expect([refused.status, refused.problem.detail]).toEqual([409, "This name looks like another person's. Choose a different one."]);
    // The invite works on, and people of another organization may look the same.
    expect((await accept(token, "new person", "new@talkback.test")).status).toBe(200);
    expect((await rename(foreignMember, { username: "\u043ewner" })).status).toBe(200);
    // A name that looked alike before the rule existed may stay, beside other changes.
    await testApp.database.write((tx) => tx.updateTable("accounts").set({ username: "admln", username_key: "admln" }).where("id", "=", guest.id).execute());
    await testApp.database.write((tx) =>
      tx.updateTable("accounts").set({ username: "adm1n", username_key: "adm1n" }).where("id", "=", fixtures.neighbor.id).execute(),
    );
    expect((await testApp.call(guest, accounts.updateAccount, { body: { username: "admln", user_info: "Mixes" } })).status).toBe(200);
    expect((await rename(guest, { username: "ADM1N " })).status).toBe(409);
  });

  it("an address belongs to one account of an organization, and to accounts of others", async () => {
    const { member, foreignOwner, foreignGuest } = fixtures;
    expect((await rename(member, { email: fixtures.admin.email })).status).toBe(409);
    expect((await rename(foreignGuest, { email: foreignOwner.email.toUpperCase() })).status).toBe(409);
    expect((await rename(foreignGuest, { email: member.email })).status).toBe(200);
    expect((await rename(foreignGuest, { email: foreignGuest.email })).status).toBe(200);
  });

  it("an invited address is reserved for the invited until the invite ends", async () => {
    const { testApp, member, foreignOwner } = fixtures;
    const address = "Invited@talkback.test";
    const [token, other] = [await invite(address), await invite()];
    const again = await invite(address);
    expect((await rename(member, { email: "invited@TALKBACK.test" })).status).toBe(409);
    const taken = await accept(other, "somebody else", address);
    expect([taken.status, taken.problem.errors]).toEqual([409, [{ path: "email", message: "is reserved for an invite" }]]);
    expect((await rename(foreignOwner, { email: address })).status).toBe(200);
    expect((await accept(token, "invited", address)).status).toBe(200);
    expect((await accept(again, "invited again", address)).status).toBe(409);
    await invite("later@talkback.test");
    expect((await rename(member, { email: "later@talkback.test" })).status).toBe(409);
    testApp.clock.advance(7 * DAY);
    expect((await rename(await createSession(testApp, member.id, "member"), { email: "later@talkback.test" })).status).toBe(200);
  });

  it("the password decides which account with the address signs in, and the person if it fits several", async () => {
    const { testApp, owner, foreignOwner, home, foreign } = fixtures;
    const own = await joinTeam(testApp, owner, "both", { team: home.team, role: "member" });
    const other = await joinTeam(testApp, foreignOwner, "both elsewhere", { team: foreign.team, role: "guest", projects: [foreign.project] });
    expect((await rename(other, { email: own.email })).status).toBe(200);
    const setPassword = async (id: number, password: string) => {
      const password_hash = await hashPassword(password);
      await testApp.database.write((tx) => tx.updateTable("accounts").set({ password_hash }).where("id", "=", id).execute());
    };
    const accountOf = async (reply: ReturnType<typeof signIn>) => (await reply).response.data.account.id;
    await setPassword(other.id, "a password of their own");
    expect(await accountOf(signIn(own.email))).toBe(own.id);
    expect(await accountOf(signIn(own.email, "a password of their own"))).toBe(other.id);
    expect((await signIn(own.email, "neither of the two")).status).toBe(401);

    await setPassword(other.id, PASSWORD);
    const choice = await signIn(own.email);
    expect(choice.status).toBe(409);
    expect(choice.headers["set-cookie"]).toBeUndefined();
    const organisations = choice.problem.organisations ?? [];
    expect(organisations.map(({ name }) => name)).toEqual(["Northwind", "Elsewhere"]);
    expect(await accountOf(signIn(own.email, PASSWORD, organisations[0]?.id))).toBe(own.id);
    expect(await accountOf(signIn(own.email, PASSWORD, organisations[1]?.id))).toBe(other.id);
    expect((await signIn(own.email, PASSWORD, 999_999)).status).toBe(401);
    // Only the right password reveals that there are several.
    expect((await signIn(own.email, "neither of the two")).problem.organisations).toBeUndefined();
    // Names stay unambiguous, and an account that is disabled is no choice.
    expect(await accountOf(signIn("both elsewhere"))).toBe(other.id);
    await testApp.call(owner, accounts.updateMember, { params: { account_id: own.id }, body: { disabled: true } });
    expect(await accountOf(signIn(own.email))).toBe(other.id);
  });
});
