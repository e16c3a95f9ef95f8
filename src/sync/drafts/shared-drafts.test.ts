import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMessageDrafts, type Draft } from "./use-message-draft.ts";

type StorageListener = (event: { key: string }) => void;
let listeners: StorageListener[];

beforeEach(() => {
  vi.useFakeTimers();
  const stored = new Map<string, string>();
  listeners = [];
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal("addEventListener", (_type: string, listener: StorageListener) => listeners.push(listener));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens two tabs over one storage; a change in one notifies the other, as in browsers. */
function twoTabs() {
  const open = (other: number) => {
    const drafts = createMessageDrafts(String);
    const change = (account: number, project: number, changes: Partial<Draft>) => {
      drafts.change(account, project, changes);
      listeners[other]!({ key: `talkback.draft.${account}.${project}` });
    };
    return { ...drafts, change };
  };
  return [open(1), open(0)] as const;
}
const texts = (tabs: ReturnType<typeof twoTabs>) => tabs.map((tab) => tab.get(1, 2).text);

test("a draft typed in one tab shows in the other immediately, and is cleared when it is sent", () => {
  const tabs = twoTabs();
  expect(texts(tabs)).toEqual(["", ""]);
  const listener = vi.fn();
  tabs[1].subscribe(listener);
  tabs[0].change(1, 2, { text: "half a sen" });
  expect(texts(tabs)).toEqual(["half a sen", "half a sen"]);
  expect(listener).toHaveBeenCalledOnce();
  tabs[0].change(1, 2, { text: "" });
  expect(texts(tabs)).toEqual(["", ""]);
});

test("a tab's draft does not change while its user types; after a pause the last edit wins in both tabs", () => {
  const tabs = twoTabs();
  texts(tabs);
  tabs[0].change(1, 2, { text: "mine" });
  vi.advanceTimersByTime(500);
  tabs[1].change(1, 2, { text: "mine, from there" });
  expect(texts(tabs)).toEqual(["mine", "mine, from there"]);
  vi.advanceTimersByTime(2_000);
  expect(texts(tabs)).toEqual(["mine, from there", "mine, from there"]);
});

test("a tab that continues typing has the last edit", () => {
  const tabs = twoTabs();
  texts(tabs);
  tabs[0].change(1, 2, { text: "mine" });
  tabs[1].change(1, 2, { text: "theirs" });
  tabs[0].change(1, 2, { text: "mine, longer" });
  vi.advanceTimersByTime(5_000);
  expect(texts(tabs)).toEqual(["mine, longer", "mine, longer"]);
});

test("drafts of other projects and accounts do not change", () => {
  const tabs = twoTabs();
  expect(texts(tabs)).toEqual(["", ""]);
  tabs[0].change(1, 3, { text: "elsewhere" });
  tabs[0].change(4, 2, { text: "somebody else" });
  expect(texts(tabs)).toEqual(["", ""]);
});
