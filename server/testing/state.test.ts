import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCast, writeMessage, type Cast } from "./cast.ts";
import { ENGINES } from "./engines.ts";
import { stateOf } from "./state.ts";

describe.each(ENGINES)("the state on %s", (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  test("is the same as long as nothing is stored, and another one after anything is", async () => {
    const { world, owner, home } = cast;
    const states = [await stateOf(world.database)];
    expect(await stateOf(world.database)).toBe(states[0]);
    const id = await writeMessage(world, owner, home.project, "new");
    states.push(await stateOf(world.database));
    await world.database.write((tx) => tx.updateTable("messages").set({ body: "another length" }).where("id", "=", id).execute());
    states.push(await stateOf(world.database));
    expect(new Set(states).size).toBe(3);
    await expect(
      world.database.write(async (tx) => {
        await tx.updateTable("messages").set({ body: "" }).where("id", "=", id).execute();
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await stateOf(world.database)).toBe(states[2]);
  });
});
