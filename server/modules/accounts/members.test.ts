/** Tests invites and members: who may join, who may stay, and concurrent changes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as session from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createSession, createInvite, joinTeam, PASSWORD, createApiToken, type Person } from "../../testing/people.ts";
import { stateFingerprint } from "../../testing/state-fingerprint.ts";

describe.each(ENGINES)("people on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  let sequence = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const accept = (token: string, name = `joiner ${++sequence}`, address = "192.0.2.1") =>
    fixtures.testApp.call(
      ANONYMOUS,
      teams.acceptInvite,
      { body: { token, username: name, email: `${name.replaceAll(" ", "-")}@joined.test`, password: PASSWORD } },
      { address },
    );
  const createPerson = async (role: "owner" | "admin" | "member" = "member"): Promise<Person> =>
    joinTeam(fixtures.testApp, fixtures.owner, `person ${++sequence}`, { team: fixtures.home.team, role, projects: [fixtures.home.project] });
  const update = (by: Caller, id: number, body: object) => fixtures.testApp.call(by, accounts.updateMember, { params: { account_id: id }, body });
  const sessionStatus = async (caller: Caller) => (await fixtures.testApp.call(caller, session.getSession)).status;

  describe("an invite", () => {
    const inviteInput = () => ({ team: fixtures.home.team, role: "member" as const, projects: [fixtures.home.project] });
    it("brings into team and projects, once", async () => {
      const token = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
      const { account } = (await accept(token)).response.data;
      const people = (await fixtures.testApp.call(fixtures.owner, projects.listProjectMembers, { params: { project_id: fixtures.home.project } })).response
        .data;
      expect(people.map(({ id }) => id)).toContain(account.id);
      const before = await stateFingerprint(fixtures.testApp.database);
      expect((await accept(token)).status).toBe(404);
      expect((await fixtures.testApp.call(ANONYMOUS, teams.previewInvite, { body: { token } })).status).toBe(404);
      expect(await stateFingerprint(fixtures.testApp.database)).toBe(before);
    });
    it("used by many at once lets one in, and leaves nothing of the others", async () => {
      const token = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
      const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => accept(token, `racer ${index}`, `203.0.113.${index}`)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
      expect(await fixtures.testApp.database.read.selectFrom("accounts").select("id").where("username", "like", "racer%").execute()).toHaveLength(1);
    });
    it("two invites used at once under one name: one joins, the other is told which name", async () => {
      const tokens = await Promise.all([
        createInvite(fixtures.testApp, fixtures.owner, inviteInput()),
        createInvite(fixtures.testApp, fixtures.owner, inviteInput()),
      ]);
      const replies = await Promise.all(tokens.map((token) => accept(token, "same name")));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loserIndex = replies.findIndex(({ status }) => status === 409);
      expect(["username", "email"]).toContain(replies[loserIndex]?.problem.errors?.[0]?.path);
      expect((await accept(tokens[loserIndex] ?? "")).status).toBe(200);
    });
    it("ends after 7 days, when it is withdrawn, and with its maker's rights", async () => {
      const expired = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
      fixtures.testApp.clock.advance(7 * DAY);
      expect((await accept(expired)).status).toBe(404);

      const withdrawn = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
      const [newest] = (await fixtures.testApp.call(fixtures.owner, teams.listInvites)).response.data;
      await fixtures.testApp.call(fixtures.owner, teams.revokeInvite, { params: { invite_id: newest?.id ?? 0 } });
      expect((await accept(withdrawn)).status).toBe(404);

      const helper = await createPerson("admin");
      const helperInvite = await createInvite(fixtures.testApp, helper, inviteInput());
      await update(fixtures.owner, helper.id, { role: "member" });
      expect((await accept(helperInvite)).status).toBe(404);
    });
    it("cannot be guessed for long", async () => {
      for (let count = 0; count < 10; count += 1) expect((await accept("x".repeat(43), undefined, "198.51.100.1")).status).toBe(404);
      const token = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
      expect((await accept(token, undefined, "198.51.100.1")).status).toBe(429);
      expect((await fixtures.testApp.call(ANONYMOUS, teams.previewInvite, { body: { token } }, { address: "198.51.100.1" })).status).toBe(429);
      fixtures.testApp.clock.advance(15 * MINUTE);
      expect((await accept(token, undefined, "198.51.100.1")).status).toBe(200);
    });
  });

  describe("a member", () => {
    it("who is disabled is out at once, and stays out when enabled again until they sign in", async () => {
      const person = await createPerson();
      const token = await createApiToken(fixtures.testApp, person);
      expect([await sessionStatus(person), await sessionStatus(token)]).toEqual([200, 200]);
      await update(fixtures.owner, person.id, { disabled: true });
      expect([await sessionStatus(person), await sessionStatus(token)]).toEqual([401, 401]);
      await update(fixtures.owner, person.id, { disabled: false });
      expect([await sessionStatus(person), await sessionStatus(token)]).toEqual([401, 401]);
      expect((await fixtures.testApp.call(ANONYMOUS, session.signIn, { body: { login: person.email, password: PASSWORD } })).status).toBe(200);
    });
    it("who is disabled is in no list but the owners' and admins'", async () => {
      const person = await createPerson();
      await update(fixtures.owner, person.id, { disabled: true });
      const disabledSeenBy = async (by: Caller) =>
        (await fixtures.testApp.call(by, accounts.listMembers, { query: { limit: "200" } })).response.data.find(({ id }) => id === person.id)?.disabled;
      expect([await disabledSeenBy(fixtures.owner), await disabledSeenBy(fixtures.admin), await disabledSeenBy(fixtures.member)]).toEqual([
        true,
        true,
        undefined,
      ]);
      expect(
        (
          await fixtures.testApp.call(fixtures.owner, projects.addProjectMember, {
            params: { project_id: fixtures.home.project },
            body: { account_id: person.id },
          })
        ).status,
      ).toBe(400);
    });
    it("whose role changes has other rights with the next request", async () => {
      const person = await createPerson();
      const getProjectStatus = async () => (await fixtures.testApp.call(person, projects.getProject, { body: { project_id: fixtures.apart.project } })).status;
      expect(await getProjectStatus()).toBe(404);
      await update(fixtures.owner, person.id, { role: "admin" });
      expect(await getProjectStatus()).toBe(200);
      await update(fixtures.owner, person.id, { role: "guest" });
      expect(await getProjectStatus()).toBe(404);
    });
    it("renamed at once by two: one gets the name, the other is told", async () => {
      const [first, second] = [await createPerson(), await createPerson()];
      const replies = await Promise.all(
        [first, second].map((person) => fixtures.testApp.call(person, accounts.updateAccount, { body: { username: "wanted by two" } })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(replies.find(({ status }) => status === 409)?.problem.errors).toEqual([{ path: "username", message: "is already taken" }]);
    });
  });

  describe("owners", () => {
    it("cannot all demote or disable each other at the same moment", async () => {
      for (const change of [{ role: "member" }, { disabled: true }]) {
        const second = await createPerson("owner");
        const replies = await Promise.all([update(fixtures.owner, second.id, change), update(second, fixtures.owner.id, change)]);
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
        const remainingOwners = await fixtures.testApp.database.read
          .selectFrom("accounts")
          .select("id")
          .where("role", "=", "owner")
          .where("disabled_at", "is", null)
          .where("id", "in", [fixtures.owner.id, second.id])
          .execute();
        expect(remainingOwners).toHaveLength(1);
        // Restores the initial state for the next round.
        await fixtures.testApp.database.write((tx) =>
          tx.updateTable("accounts").set({ role: "owner", disabled_at: null }).where("id", "=", fixtures.owner.id).execute(),
        );
        await fixtures.testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "member" }).where("id", "=", second.id).execute());
        Object.assign(fixtures.owner, { headers: (await createSession(fixtures.testApp, fixtures.owner.id, "owner")).headers });
      }
    });
    it("who both step down at once leave one owner", async () => {
      const second = await createPerson("owner");
      const replies = await Promise.all([update(fixtures.owner, fixtures.owner.id, { role: "admin" }), update(second, second.id, { role: "admin" })]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      await fixtures.testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "owner" }).where("id", "=", fixtures.owner.id).execute());
    });
  });

  it("owners who make projects at the same moment do not lock each other out", async () => {
    const creators = [fixtures.owner, await createPerson("owner"), await createPerson("owner"), fixtures.admin];
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        fixtures.testApp.call(creators[index % 4] as Caller, projects.createProject, { body: { name: `p${index}`, team_id: fixtures.home.team } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  });
});
