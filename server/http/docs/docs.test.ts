/** The API page and its document are made of every operation there is: each must be describable. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "../../../contract/operations/all.ts";
import { NOBODY } from "../../testing/client.ts";
import { startWorld, type World } from "../../testing/world.ts";

let world: World;
beforeAll(async () => void (world = await startWorld("sqlite")), 60_000);
afterAll(() => world.close());

test.each(["/openapi.json", "/docs"])("%s names every operation, to anybody", async (url) => {
  const { status, text } = await world.send(NOBODY, { method: "GET", url });
  expect(status, text.slice(0, 300)).toBe(200);
  for (const name of Object.keys(operations)) expect(text).toContain(name);
});
