import { expect, test } from "vitest";
import { appendPage, type History, toQuote, upsertMessage } from "./history.ts";
import { buildMessage } from "./message.fixture.ts";

const parent = buildMessage(1, { body: "Bass is hot" });
const reply = buildMessage(5, { parent_message_id: 1, parent: toQuote(parent) });
const buildHistory = (...messages: History["messages"][number][]): History => ({ messages, hasMoreBefore: true, hasMoreAfter: false, completeThroughId: 5 });
const shownParent = (history: History) => history.messages.find(({ id }) => id === 5)?.parent;

test("a reply shows the current text of its parent, loaded or not", () => {
  const edited = { ...parent, body: "Bass is fine", revision: 2 };
  expect(shownParent(upsertMessage(buildHistory(parent, reply), edited))).toMatchObject({ excerpt: "Bass is fine", deleted: false });
  // The parent lies outside the loaded window, which contains only the reply.
  const alone = buildHistory(buildMessage(4), reply);
  const updated = upsertMessage(alone, edited);
  expect(updated.messages.map(({ id }) => id)).toEqual([4, 5]);
  expect(shownParent(updated)).toMatchObject({ excerpt: "Bass is fine" });
});

test("a deleted parent shows as deleted, without its text", () => {
  const deletedParent = { ...parent, body: "", deleted: true, revision: 2 };
  expect(shownParent(upsertMessage(buildHistory(parent, reply), deletedParent))).toMatchObject({ excerpt: "", deleted: true, mentions: [] });
});

test("an older revision changes no quote, and an unrelated message returns the same history", () => {
  const now = { ...parent, body: "third", revision: 3 };
  const known = upsertMessage(buildHistory(parent, reply), now);
  expect(upsertMessage(known, { ...parent, body: "second", revision: 2 })).toBe(known);
  const unrelated = buildHistory(buildMessage(4), buildMessage(5));
  expect(upsertMessage(unrelated, { ...parent, body: "second", revision: 2 })).toBe(unrelated);
});

test("a stale quote on a new page is corrected when the parent's change is applied again", () => {
  const now = { ...parent, body: "third", revision: 3 };
  const joined = appendPage(buildHistory(now), { data: [reply] });
  expect(shownParent(joined)).toMatchObject({ excerpt: "Bass is hot" });
  expect(shownParent(upsertMessage(joined, now))).toMatchObject({ excerpt: "third" });
});

test("an excerpt preserves whole characters and lists only the mentions it contains", () => {
  const long = buildMessage(2, { body: `<@7> ${"🎧".repeat(300)} <@8>`, mentions: [7, 8] });
  const quote = toQuote(long);
  expect([...quote.excerpt]).toHaveLength(200);
  expect(quote.excerpt.isWellFormed()).toBe(true);
  expect(quote.mentions).toEqual([7]);
});
