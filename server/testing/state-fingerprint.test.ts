import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENGINES } from "./engines.ts";
import { createFixtures, createMessage, type Fixtures } from "./fixtures.ts";
import { stateFingerprint } from "./state-fingerprint.ts";

describe.each(ENGINES)("stateFingerprint on %s", (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  test("changes only when something is stored", async () => {
    const { testApp, owner, home } = fixtures;
    const states = [await stateFingerprint(testApp.database)];
    expect(await stateFingerprint(testApp.database)).toBe(states[0]);
    const id = await createMessage(testApp, owner, home.project, "new");
    states.push(await stateFingerprint(testApp.database));
    await testApp.database.write((tx) => tx.updateTable("messages").set({ body: "another length" }).where("id", "=", id).execute());
    states.push(await stateFingerprint(testApp.database));
    expect(new Set(states).size).toBe(3);
    await expect(
      testApp.database.write(async (tx) => {
        await tx.updateTable("messages").set({ body: "" }).where("id", "=", id).execute();
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await stateFingerprint(testApp.database)).toBe(states[2]);
  });
});
