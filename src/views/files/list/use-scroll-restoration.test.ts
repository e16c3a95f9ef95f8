import { expect, test } from "vitest";
import { getScrollState, saveScrollState } from "./use-scroll-restoration.ts";

test("the latest hundred scroll positions are stored", () => {
  for (let index = 0; index < 150; index += 1) saveScrollState(`key-${index}`, { top: index });
  saveScrollState("key-149", { current: 7 });
  expect([getScrollState("key-0"), getScrollState("key-100"), getScrollState("key-149")]).toEqual([
    undefined,
    { top: 100, current: null },
    { top: 149, current: 7 },
  ]);
});
