import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSharedDrafts } from "./shared-drafts.ts";
import { EMPTY_DRAFT, type Draft } from "./use-message-draft.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens two tabs over one store; a write of one notifies the other, as in browsers. */
function twoTabs() {
  const store = new Map<string, Draft>();
  const tabs = [0, 1].map((index) =>
    createSharedDrafts({
      load: (account, project) => store.get(`${account}.${project}`) ?? EMPTY_DRAFT,
      save(account, project, draft) {
        store.set(`${account}.${project}`, draft);
        tabs[1 - index]!.onExternalChange(account, project);
      },
    }),
  );
  return tabs as [(typeof tabs)[number], (typeof tabs)[number]];
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
  tabs[0].change(1, 3, { text: "elsewhere" });
  tabs[0].change(4, 2, { text: "somebody else" });
  expect(texts(tabs)).toEqual(["", ""]);
});
