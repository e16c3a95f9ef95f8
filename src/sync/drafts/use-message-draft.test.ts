import { afterAll, afterEach, expect, test } from "vitest";
import { setPersisted } from "../../lib/local-storage.ts";
import { appendToDraft, createMessageDrafts, EMPTY_DRAFT } from "./use-message-draft.ts";

const messageDrafts = createMessageDrafts(String);
// Other test files share the process and its storage.
afterEach(() => ["draft.1.2", "draft.4.2"].forEach((name) => setPersisted(name, null)));
afterAll(() => messageDrafts.dispose());
/** Returns the draft that a page which opens now would load. */
const stored = (accountId: number, projectId: number) => createMessageDrafts(String).get(accountId, projectId);

test("a draft is stored by account and project, and an empty one is deleted", () => {
  const halfDraft = { text: "half", mentions: [], reply: null, playlist: null };
  messageDrafts.change(1, 2, halfDraft);
  expect(stored(1, 2)).toEqual(halfDraft);
  expect(stored(3, 2).text).toBe("");
  messageDrafts.change(1, 2, { ...halfDraft, text: "" });
  expect(stored(1, 2).text).toBe("");
});

test("a playlist alone is a draft, of its account only", () => {
  messageDrafts.change(1, 2, { ...EMPTY_DRAFT, playlist: { id: 3, name: "Running order" } });
  expect(stored(1, 2).playlist).toEqual({ id: 3, name: "Running order" });
  expect(stored(3, 2).playlist).toBeNull();
  messageDrafts.change(1, 2, EMPTY_DRAFT);
});

const draft = { text: "for @Ana", mentions: [{ start: 4, end: 8, accountId: 5 }], reply: null, playlist: null };

test("text that returns from a canceled message stands below what was written since, with its mentions", () => {
  messageDrafts.change(1, 2, EMPTY_DRAFT);
  appendToDraft(messageDrafts, 1, 2, { text: "@Ben", mentions: [{ start: 0, end: 4, accountId: 6 }] });
  appendToDraft(messageDrafts, 1, 2, draft);
  const { text, mentions } = messageDrafts.get(1, 2);
  expect(text).toBe("@Ben\nfor @Ana");
  expect(mentions.map(({ start, end, accountId }) => [text.slice(start, end), accountId])).toEqual([
    ["@Ben", 6],
    ["@Ana", 5],
  ]);
  messageDrafts.change(1, 2, EMPTY_DRAFT);
});

test("a draft that an earlier version stored keeps its mentions", () => {
  setPersisted("draft.1.2", '{"text":"for @Ana","named":[{"start":4,"end":8,"accountId":5}],"reply":null}');
  expect(stored(1, 2)).toEqual(draft);
});

test("a tab of this version keeps what a later one has stored in a draft", () => {
  const page = createMessageDrafts(String);
  setPersisted("draft.4.2", JSON.stringify({ ...draft, poll: "Which take?" }));
  page.change(4, 2, { text: "for @Ana!" });
  expect(stored(4, 2)).toEqual({ ...draft, text: "for @Ana!", poll: "Which take?" });
  page.dispose();
});

test("a sent draft is cleared in the page at once, and retained in storage until its message is stored", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  messageDrafts.change(1, 2, EMPTY_DRAFT);
  messageDrafts.onSent(1, 2, draft, promise);
  expect(messageDrafts.get(1, 2)).toEqual(EMPTY_DRAFT);
  expect(stored(1, 2)).toEqual(draft);
  resolve();
  await promise;
  await Promise.resolve();
  expect(stored(1, 2)).toEqual(EMPTY_DRAFT);
});

test("a draft written before the sent message is stored stays", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  messageDrafts.onSent(1, 2, draft, promise);
  createMessageDrafts(String).change(1, 2, { ...EMPTY_DRAFT, text: "the next one" });
  resolve();
  await promise;
  await Promise.resolve();
  expect(stored(1, 2).text).toBe("the next one");
});
