/** Invites and members: who may come, who may stay, and what happens when two act at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as session from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { NOBODY, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { freshSession, invite, join, PASSWORD, tokenOf, type Person } from "../../testing/people.ts";
import { stateOf } from "../../testing/state.ts";

describe.each(ENGINES)("people on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  let drawn = 0;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const accept = (token: string, name = `joiner ${++drawn}`, address = "192.0.2.1") =>
    cast.world.call(
      NOBODY,
      teams.acceptInvite,
      { body: { token, username: name, email: `${name.replaceAll(" ", "-")}@joined.test`, password: PASSWORD } },
      { address },
    );
  const newcomer = async (role: "owner" | "admin" | "member" = "member"): Promise<Person> =>
    join(cast.world, cast.owner, `person ${++drawn}`, { team: cast.home.team, role, projects: [cast.home.project] });
  const update = (by: Caller, id: number, body: object) => cast.world.call(by, accounts.updateMember, { params: { account_id: id }, body });
  const who = async (caller: Caller) => (await cast.world.call(caller, session.getSession)).status;

  describe("an invite", () => {
    const wish = () => ({ team: cast.home.team, role: "member" as const, projects: [cast.home.project] });
    it("brings into team and projects, once", async () => {
      const token = await invite(cast.world, cast.owner, wish());
      const { account } = (await accept(token)).answer.data;
      const people = (await cast.world.call(cast.owner, projects.listProjectMembers, { params: { project_id: cast.home.project } })).answer.data;
      expect(people.map(({ id }) => id)).toContain(account.id);
      const before = await stateOf(cast.world.database);
      expect((await accept(token)).status).toBe(404);
      expect((await cast.world.call(NOBODY, teams.previewInvite, { body: { token } })).status).toBe(404);
      expect(await stateOf(cast.world.database)).toBe(before);
    });
    it("used by many at once lets one in, and leaves nothing of the others", async () => {
      const token = await invite(cast.world, cast.owner, wish());
      const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => accept(token, `racer ${index}`, `203.0.113.${index}`)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
      expect(await cast.world.database.read.selectFrom("accounts").select("id").where("username", "like", "racer%").execute()).toHaveLength(1);
    });
    it("two invites used at once under one name: one joins, the other is told which name", async () => {
      const tokens = await Promise.all([invite(cast.world, cast.owner, wish()), invite(cast.world, cast.owner, wish())]);
      const replies = await Promise.all(tokens.map((token) => accept(token, "same name")));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const lost = replies.findIndex(({ status }) => status === 409);
      expect(["username", "email"]).toContain(replies[lost]?.problem.errors?.[0]?.path);
      expect((await accept(tokens[lost] ?? "")).status).toBe(200);
    });
    it("ends after 7 days, when it is withdrawn, and with its maker's rights", async () => {
      const old = await invite(cast.world, cast.owner, wish());
      cast.world.clock.pass(7 * DAY);
      expect((await accept(old)).status).toBe(404);

      const withdrawn = await invite(cast.world, cast.owner, wish());
      const [newest] = (await cast.world.call(cast.owner, teams.listInvites)).answer.data;
      await cast.world.call(cast.owner, teams.revokeInvite, { params: { invite_id: newest?.id ?? 0 } });
      expect((await accept(withdrawn)).status).toBe(404);

      const helper = await newcomer("admin");
      const theirs = await invite(cast.world, helper, wish());
      await update(cast.owner, helper.id, { role: "member" });
      expect((await accept(theirs)).status).toBe(404);
    });
    it("cannot be guessed for long", async () => {
      for (let count = 0; count < 10; count += 1) expect((await accept("x".repeat(43), undefined, "198.51.100.1")).status).toBe(404);
      const token = await invite(cast.world, cast.owner, wish());
      expect((await accept(token, undefined, "198.51.100.1")).status).toBe(429);
      expect((await cast.world.call(NOBODY, teams.previewInvite, { body: { token } }, { address: "198.51.100.1" })).status).toBe(429);
      cast.world.clock.pass(15 * MINUTE);
      expect((await accept(token, undefined, "198.51.100.1")).status).toBe(200);
    });
  });

  describe("a member", () => {
    it("who is disabled is out at once, and stays out when enabled again until they sign in", async () => {
      const person = await newcomer();
      const token = await tokenOf(cast.world, person);
      expect([await who(person), await who(token)]).toEqual([200, 200]);
      await update(cast.owner, person.id, { disabled: true });
      expect([await who(person), await who(token)]).toEqual([401, 401]);
      await update(cast.owner, person.id, { disabled: false });
      expect([await who(person), await who(token)]).toEqual([401, 401]);
      expect((await cast.world.call(NOBODY, session.signIn, { body: { login: person.email, password: PASSWORD } })).status).toBe(200);
    });
    it("who is disabled is in no list but the owners' and admins'", async () => {
      const person = await newcomer();
      await update(cast.owner, person.id, { disabled: true });
      const seenBy = async (by: Caller) =>
        (await cast.world.call(by, accounts.listMembers, { query: { limit: "200" } })).answer.data.find(({ id }) => id === person.id)?.disabled;
      expect([await seenBy(cast.owner), await seenBy(cast.admin), await seenBy(cast.member)]).toEqual([true, true, undefined]);
      expect(
        (await cast.world.call(cast.owner, projects.addProjectMember, { params: { project_id: cast.home.project }, body: { account_id: person.id } })).status,
      ).toBe(400);
    });
    it("whose role changes has other rights with the next request", async () => {
      const person = await newcomer();
      const peek = async () => (await cast.world.call(person, projects.getProject, { body: { project_id: cast.apart.project } })).status;
      expect(await peek()).toBe(404);
      await update(cast.owner, person.id, { role: "admin" });
      expect(await peek()).toBe(200);
      await update(cast.owner, person.id, { role: "guest" });
      expect(await peek()).toBe(404);
    });
    it("renamed at once by two: one gets the name, the other is told", async () => {
      const [one, two] = [await newcomer(), await newcomer()];
      const replies = await Promise.all([one, two].map((person) => cast.world.call(person, accounts.updateAccount, { body: { username: "wanted by two" } })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(replies.find(({ status }) => status === 409)?.problem.errors).toEqual([{ path: "username", message: "is already taken" }]);
    });
  });

  describe("owners", () => {
    it("cannot all demote or disable each other at the same moment", async () => {
      for (const change of [{ role: "member" }, { disabled: true }]) {
        const second = await newcomer("owner");
        const replies = await Promise.all([update(cast.owner, second.id, change), update(second, cast.owner.id, change)]);
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
        const left = await cast.world.database.read
          .selectFrom("accounts")
          .select("id")
          .where("role", "=", "owner")
          .where("disabled_at", "is", null)
          .where("id", "in", [cast.owner.id, second.id])
          .execute();
        expect(left).toHaveLength(1);
        // As it was, for the next round.
        await cast.world.database.write((tx) => tx.updateTable("accounts").set({ role: "owner", disabled_at: null }).where("id", "=", cast.owner.id).execute());
        await cast.world.database.write((tx) => tx.updateTable("accounts").set({ role: "member" }).where("id", "=", second.id).execute());
        Object.assign(cast.owner, { headers: (await freshSession(cast.world, cast.owner.id, "owner")).headers });
      }
    });
    it("who both step down at once leave one owner", async () => {
      const second = await newcomer("owner");
      const replies = await Promise.all([update(cast.owner, cast.owner.id, { role: "admin" }), update(second, second.id, { role: "admin" })]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      await cast.world.database.write((tx) => tx.updateTable("accounts").set({ role: "owner" }).where("id", "=", cast.owner.id).execute());
    });
  });

  it("owners who make projects at the same moment do not lock each other out", async () => {
    const makers = [cast.owner, await newcomer("owner"), await newcomer("owner"), cast.admin];
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        cast.world.call(makers[index % 4] as Caller, projects.createProject, { body: { name: `p${index}`, team_id: cast.home.team } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  });
});
