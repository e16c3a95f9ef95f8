import { expect, test } from "vitest";
import type { ViewMemory } from "../../../client/client.ts";
import { saveScrollState } from "./use-listing.ts";

test("the latest hundred scroll positions are stored", () => {
  const states: ViewMemory["fileListScroll"] = new Map();
  for (let index = 0; index < 150; index += 1) saveScrollState(states, `key-${index}`, { top: index });
  saveScrollState(states, "key-149", { current: 7 });
  expect([states.get("key-0"), states.get("key-100"), states.get("key-149")]).toEqual([undefined, { top: 100, current: null }, { top: 149, current: 7 }]);
});
