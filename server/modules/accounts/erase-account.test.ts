/** Tests what erasing an account leaves: no trace of its own, what others still have of it, and always an owner. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSignals } from "../../events/signals.ts";
import { createEventLog } from "../../events/log.ts";
import { insertAnyRow } from "../../testing/database-rows.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openStorage } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { joinTeam, type Person } from "../../testing/people.ts";
import { eraseAccount } from "./erase-account.ts";

describe.each(ENGINES)("erasing an account on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let sequence = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const join = (): Promise<Person> =>
    joinTeam(fixtures.testApp, fixtures.owner, `person ${++sequence}`, { team: fixtures.home.team, role: "member", projects: [fixtures.home.project] });
  const erase = (id: number) => {
    const { testApp } = fixtures;
    const { database, clock } = testApp;
    const events = createEventLog(database, clock);
    const signals = createSignals(database, events.origin);
    const nothing = { onWebhookEvent: () => Promise.resolve(), onTokensWeakened: () => Promise.resolve([]) };
    return eraseAccount({ database, clock, events, signals, publicUrl: "", storage: openStorage(testApp), ...nothing }, id);
  };
  const find = (id: number) => fixtures.testApp.database.read.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();

  it("refuses the last enabled owner, with everything of theirs as it was", async () => {
    const { testApp, owner } = fixtures;
    const { id } = await join();
    const role = { role: "owner" as const, disabled_at: 1 };
    await testApp.database.write((tx) => tx.updateTable("accounts").set(role).where("id", "=", id).execute());
    const picture = await testApp.database.write((tx) => insertAnyRow(tx, "avatars", { account_id: owner.id }));
    await expect(erase(owner.id)).rejects.toThrow("is the only owner left");
    expect(await find(owner.id)).toMatchObject({ role: "owner", disabled_at: null });
    expect(await testApp.database.read.selectFrom("avatars").select("id").where("account_id", "=", owner.id).execute()).toEqual([{ id: picture }]);
    // A disabled owner is none.
    expect(await erase(id)).toBe("erased");
    expect(await erase(id)).toBe("absent");
  });
});
