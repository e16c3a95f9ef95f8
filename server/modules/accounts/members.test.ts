/** Tests members: loss of access, permissions, and concurrent changes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as session from "../../../contract/operations/session.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken, createSession, joinTeam, PASSWORD, type Person } from "../../testing/people.ts";

describe.each(ENGINES)("members on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  let sequence = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const createPerson = async (role: "owner" | "admin" | "member" = "member"): Promise<Person> =>
    joinTeam(fixtures.testApp, fixtures.owner, `person ${++sequence}`, { team: fixtures.home.team, role, projects: [fixtures.home.project] });
  const update = (by: Caller, id: number, body: object) => fixtures.testApp.call(by, accounts.updateMember, { params: { account_id: id }, body });
  const sessionStatus = async (caller: Caller) => (await fixtures.testApp.call(caller, session.getSession)).status;

  describe("a member", () => {
    it("loses sessions and tokens when disabled, and has to sign in after being enabled again", async () => {
      const person = await createPerson();
      const token = await createApiToken(fixtures.testApp, person);
      expect([await sessionStatus(person), await sessionStatus(token)]).toEqual([200, 200]);
      await update(fixtures.owner, person.id, { disabled: true });
      expect([await sessionStatus(person), await sessionStatus(token)]).toEqual([401, 401]);
      await update(fixtures.owner, person.id, { disabled: false });
      expect([await sessionStatus(person), await sessionStatus(token)]).toEqual([401, 401]);
      expect((await fixtures.testApp.call(ANONYMOUS, session.signIn, { body: { login: person.email, password: PASSWORD } })).status).toBe(200);
    });
    it("is listed only for owners and admins while disabled, and cannot be added to a project", async () => {
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
    it("has the rights of a new role from the next request on", async () => {
      const person = await createPerson();
      const getProjectStatus = async () => (await fixtures.testApp.call(person, projects.getProject, { body: { project_id: fixtures.apart.project } })).status;
      expect(await getProjectStatus()).toBe(404);
      await update(fixtures.owner, person.id, { role: "admin" });
      expect(await getProjectStatus()).toBe(200);
      await update(fixtures.owner, person.id, { role: "guest" });
      expect(await getProjectStatus()).toBe(404);
    });
    it("gets a 409 when another member takes the same name at the same time", async () => {
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
    it("cannot all step down at the same moment", async () => {
      const second = await createPerson("owner");
      const replies = await Promise.all([update(fixtures.owner, fixtures.owner.id, { role: "admin" }), update(second, second.id, { role: "admin" })]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      await fixtures.testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "owner" }).where("id", "=", fixtures.owner.id).execute());
    });
  });
});
