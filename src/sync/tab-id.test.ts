import { expect, test } from "vitest";
import { loadTabId } from "./tab-id.ts";

test("a reload preserves the tab's id, and a duplicate of an open tab has its own", () => {
  const stored = new Map<string, string>();
  const storage = (entries: Map<string, string>) => () => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  });
  let leave = () => {};
  const first = loadTabId(storage(stored), (callback) => (leave = callback));
  const duplicate = loadTabId(storage(new Map(stored)), () => undefined);
  expect(duplicate).not.toBe(first);
  leave();
  expect(loadTabId(storage(stored), () => undefined)).toBe(first);
});

test("a tab has an id even without storage", () => {
  const forbidden = () => {
    throw new Error("SecurityError");
  };
  expect(loadTabId(forbidden, (leave) => leave())).not.toBe("");
});
