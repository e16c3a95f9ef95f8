/** Tests invites: who may join, what ends an invite, and concurrent use. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createInvite, joinTeam, PASSWORD, type Person } from "../../testing/people.ts";
import { stateFingerprint } from "../../testing/state-fingerprint.ts";

describe.each(ENGINES)("an invite on %s", { timeout: 30_000 }, (engine) => {
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
  const inviteInput = () => ({ team: fixtures.home.team, role: "member" as const, projects: [fixtures.home.project] });

  it("adds a person to its team and projects once", async () => {
    const token = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
    const { account } = (await accept(token)).response.data;
    const people = (await fixtures.testApp.call(fixtures.owner, projects.listProjectMembers, { params: { project_id: fixtures.home.project } })).response.data;
    expect(people.map(({ id }) => id)).toContain(account.id);
    const before = await stateFingerprint(fixtures.testApp.database);
    expect((await accept(token)).status).toBe(404);
    expect((await fixtures.testApp.call(ANONYMOUS, teams.previewInvite, { body: { token } })).status).toBe(404);
    expect(await stateFingerprint(fixtures.testApp.database)).toBe(before);
  });
  it("used by several people at once admits one and creates no account for the others", async () => {
    const token = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => accept(token, `racer ${index}`, `203.0.113.${index}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
    expect(await fixtures.testApp.database.read.selectFrom("accounts").select("id").where("username", "like", "racer%").execute()).toHaveLength(1);
  });
  it("two invites used at once with the same name admit one and report the conflict to the other", async () => {
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
  it("ends after 7 days, when it is revoked, and when its creator can no longer invite", async () => {
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
  it("limits guesses of its token", async () => {
    for (let count = 0; count < 10; count += 1) expect((await accept("x".repeat(43), undefined, "198.51.100.1")).status).toBe(404);
    const token = await createInvite(fixtures.testApp, fixtures.owner, inviteInput());
    expect((await accept(token, undefined, "198.51.100.1")).status).toBe(429);
    expect((await fixtures.testApp.call(ANONYMOUS, teams.previewInvite, { body: { token } }, { address: "198.51.100.1" })).status).toBe(429);
    fixtures.testApp.clock.advance(15 * MINUTE);
    expect((await accept(token, undefined, "198.51.100.1")).status).toBe(200);
  });
});
