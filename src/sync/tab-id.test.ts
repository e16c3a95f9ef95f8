import { expect, test } from "vitest";
import { loadTabId } from "./tab-id.ts";

test("a reload preserves the tab's id, and a duplicate of an open tab has its own", () => {
  const stored = new Map<string, string>();
  const storage = (entries: Map<string, string>) => () => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  });
  const page = new EventTarget();
  const { tabId, dispose } = loadTabId(storage(stored), page);
  expect(loadTabId(storage(new Map(stored)), new EventTarget()).tabId).not.toBe(tabId);
  page.dispatchEvent(new Event("pagehide"));
  expect(loadTabId(storage(stored), new EventTarget()).tabId).toBe(tabId);
  dispose();
  page.dispatchEvent(new Event("pagehide"));
  expect(loadTabId(storage(stored), new EventTarget()).tabId).not.toBe(tabId);
});

test("a tab has an id even without storage", () => {
  const forbidden = () => {
    throw new Error("SecurityError");
  };
  const page = new EventTarget();
  expect(loadTabId(forbidden, page).tabId).not.toBe("");
  page.dispatchEvent(new Event("pagehide"));
});
