/** Tests that only who is an owner at that moment changes owners: requests are authorized before they wait for each other. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transferOwnership } from "../../../contract/operations/accounts.ts";
import type { Role } from "../../../contract/records.ts";
import type { Actor } from "../../access/access.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { joinTeam, PASSWORD, type Person } from "../../testing/people.ts";

describe.each(ENGINES)("owners on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let sequence = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const createPerson = (role: Role): Promise<Person> => joinTeam(fixtures.testApp, fixtures.owner, `person ${++sequence}`, { team: fixtures.home.team, role });
  const loadAccount = (id: number) => fixtures.testApp.database.read.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const rolesOf = (people: readonly Person[]) => Promise.all(people.map(async ({ id }) => (await loadAccount(id)).role));

  /** Returns the person as a request that was authorized before the change, which it makes. */
  async function actAsBefore(person: Person, change: { role?: Role; disabled_at?: number }): Promise<Actor> {
    const { id, organisation_id, role } = await loadAccount(person.id);
    await fixtures.testApp.database.write((tx) => tx.updateTable("accounts").set(change).where("id", "=", id).execute());
    return { accountId: id, organisationId: organisation_id, role, scopes: null, sessionId: null, tokenId: null, address: null, checkedRules: new Set() };
  }

  it.each<[string, { role?: Role; disabled_at?: number }, string]>([
    ["demoted", { role: "admin" }, "does not allow this"],
    ["disabled", { disabled_at: 1 }, "is disabled"],
  ])("one who is %s meanwhile neither transfers the ownership nor keeps a role", async (_, change, denial) => {
    const { ownership, members } = fixtures.testApp.app.services;
    const [former, other] = [await createPerson("owner"), await createPerson("member")];
    const actor = await actAsBefore(former, change);
    await expect(ownership.transfer(actor, other.id, PASSWORD, true)).rejects.toThrow(denial);
    await expect(members.update(actor, other.id, { role: "owner" })).rejects.toThrow(denial);
    const { role } = await loadAccount(former.id);
    expect([role, ...(await rolesOf([other]))]).toEqual([change.role ?? "owner", "member"]);
  });

  it("an owner who steps down twice at once makes one owner", async () => {
    const { testApp } = fixtures;
    const former = await createPerson("owner");
    const others = [await createPerson("member"), await createPerson("member")];
    const body = { password: PASSWORD, step_down: true };
    const replies = await Promise.all(others.map(({ id }) => testApp.call(former, transferOwnership, { params: { account_id: id }, body })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect(await rolesOf([former])).toEqual(["admin"]);
    expect((await rolesOf(others)).toSorted()).toEqual(["member", "owner"]);
  });
});
