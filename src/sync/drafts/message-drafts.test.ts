import { expect, test } from "vitest";
import { EMPTY_DRAFT, loadDraft, retainDraftUntilStored, saveDraft, serializeBody, shiftMentions } from "./message-drafts.ts";

const named = [
  { start: 3, end: 7, accountId: 5 },
  { start: 8, end: 12, accountId: 6 },
];

test("mentions move with text typed before them, and end when their text changes", () => {
  const text = "hi @Ana @Ana";
  expect(serializeBody(text, named)).toBe("hi <@5> <@6>");
  const after = "well, hi @Ana @Ana";
  expect(serializeBody(after, shiftMentions(named, text, after))).toBe("well, hi <@5> <@6>");
  const cut = "hi @An @Ana";
  expect(serializeBody(cut, shiftMentions(named, text, cut))).toBe("hi @An <@6>");
  expect(serializeBody("", shiftMentions(named, text, ""))).toBe("");
});

test("after random edits, every remaining mention still covers its name", () => {
  let seed = 3;
  const random = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound;
  for (let round = 0; round < 300; round += 1) {
    let text = "@Ana, @Ben @Ana @Zoe";
    let names = ["@Ana", "@Ben", "@Ana", "@Zoe"].map((name, index) => ({
      name,
      accountId: index,
      start: [0, 6, 11, 16][index]!,
      end: [4, 10, 15, 20][index]!,
    }));
    for (let change = 0; change < 5; change += 1) {
      const from = random(text.length + 1);
      const next = text.slice(0, from) + "a@ nB".slice(0, random(5)) + text.slice(from + random(6));
      const remaining = shiftMentions(names, text, next);
      names = names.flatMap((mention) => remaining.flatMap((shifted) => (shifted.accountId === mention.accountId ? { ...mention, ...shifted } : [])));
      text = next;
      for (const { name, start, end } of names) expect(text.slice(start, end)).toBe(name);
    }
  }
});

test("a draft is stored by account and project, and an empty one is deleted", () => {
  const draft = { text: "half", named: [], reply: null };
  saveDraft(1, 2, draft);
  expect(loadDraft(1, 2)).toEqual(draft);
  expect(loadDraft(3, 2).text).toBe("");
  saveDraft(1, 2, { ...draft, text: "" });
  expect(loadDraft(1, 2).text).toBe("");
});

const draft = { text: "for @Ana", named: [{ start: 4, end: 8, accountId: 5 }], reply: null };

test("a sent draft is retained until its message is stored", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  saveDraft(1, 2, EMPTY_DRAFT);
  retainDraftUntilStored(1, 2, draft, promise);
  expect(loadDraft(1, 2)).toEqual(draft);
  resolve();
  await promise;
  await Promise.resolve();
  expect(loadDraft(1, 2)).toEqual(EMPTY_DRAFT);
});

test("a draft written before the sent message is stored stays", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  retainDraftUntilStored(1, 2, draft, promise);
  saveDraft(1, 2, { ...EMPTY_DRAFT, text: "the next one" });
  resolve();
  await promise;
  await Promise.resolve();
  expect(loadDraft(1, 2).text).toBe("the next one");
});
