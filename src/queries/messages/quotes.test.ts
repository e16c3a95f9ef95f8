import { expect, test } from "vitest";
import { appendPage, upsertMessage, type History } from "./history.ts";
import { messageOf } from "./message.fixture.ts";
import { quoteOf } from "./quotes.ts";

const parent = messageOf(1, { body: "Bass is hot" });
const reply = messageOf(5, { parent_message_id: 1, parent: quoteOf(parent) });
const stretch = (...messages: History["messages"][number][]): History => ({ messages, hasMoreBefore: true, hasMoreAfter: false, through: 5 });
const shown = (history: History) => history.messages.find(({ id }) => id === 5)?.parent;

test("a reply shows its parent as it stands now, loaded or not", () => {
  const edited = { ...parent, body: "Bass is fine", revision: 2 };
  expect(shown(upsertMessage(stretch(parent, reply), edited))).toMatchObject({ excerpt: "Bass is fine", deleted: false });
  // Out of the loaded stretch: only the reply is there.
  const alone = stretch(messageOf(4), reply);
  const told = upsertMessage(alone, edited);
  expect(told.messages.map(({ id }) => id)).toEqual([4, 5]);
  expect(shown(told)).toMatchObject({ excerpt: "Bass is fine" });
});

test("a deleted parent says so and tells nothing of what it said", () => {
  const gone = { ...parent, body: "", deleted: true, revision: 2 };
  expect(shown(upsertMessage(stretch(parent, reply), gone))).toMatchObject({ excerpt: "", deleted: true, mentions: [] });
});

test("older news changes no quote, and what changes nothing wakes nobody", () => {
  const now = { ...parent, body: "third", revision: 3 };
  const known = upsertMessage(stretch(parent, reply), now);
  expect(upsertMessage(known, { ...parent, body: "second", revision: 2 })).toBe(known);
  const others = stretch(messageOf(4), messageOf(5));
  expect(upsertMessage(others, { ...parent, body: "second", revision: 2 })).toBe(others);
});

test("a page that was overtaken by a change of the parent is put right when the change is told again", () => {
  const now = { ...parent, body: "third", revision: 3 };
  const joined = appendPage(stretch(now), { data: [reply] });
  expect(shown(joined)).toMatchObject({ excerpt: "Bass is hot" });
  expect(shown(upsertMessage(joined, now))).toMatchObject({ excerpt: "third" });
});

test("an excerpt keeps whole characters and only the mentions that are in it", () => {
  const long = messageOf(2, { body: `<@7> ${"🎧".repeat(300)} <@8>`, mentions: [7, 8] });
  const quote = quoteOf(long);
  expect([...quote.excerpt]).toHaveLength(200);
  expect(quote.excerpt.isWellFormed()).toBe(true);
  expect(quote.mentions).toEqual([7]);
});
