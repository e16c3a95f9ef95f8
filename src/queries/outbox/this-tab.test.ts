import { expect, test } from "vitest";
import { nameOfTab } from "./this-tab.ts";

test("a reload keeps the tab's name; a duplicate of a tab that is open has its own", () => {
  const kept = new Map<string, string>();
  const storage = (of: Map<string, string>) => () => ({
    getItem: (key: string) => of.get(key) ?? null,
    setItem: (key: string, value: string) => void of.set(key, value),
    removeItem: (key: string) => void of.delete(key),
  });
  let leave = () => {};
  const first = nameOfTab(storage(kept), (callback) => (leave = callback));
  const duplicate = nameOfTab(storage(new Map(kept)), () => undefined);
  expect(duplicate).not.toBe(first);
  leave();
  expect(nameOfTab(storage(kept), () => undefined)).toBe(first);
});

test("without a storage there is a name all the same", () => {
  const forbidden = () => {
    throw new Error("SecurityError");
  };
  expect(nameOfTab(forbidden, (leave) => leave())).not.toBe("");
});
