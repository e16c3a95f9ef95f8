import { expect, test } from "vitest";
import { EMPTY, loadDraft, saveDraft } from "./drafts.ts";
import { keepDraftUntil } from "./keep-until.ts";

const written = { text: "for @Ana", named: [{ start: 4, end: 8, accountId: 5 }], reply: null };

test("a draft that was sent is remembered until its message is kept", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  saveDraft(1, 2, EMPTY);
  keepDraftUntil(1, 2, written, promise);
  expect(loadDraft(1, 2)).toEqual(written);
  resolve();
  await promise;
  await Promise.resolve();
  expect(loadDraft(1, 2)).toEqual(EMPTY);
});

test("what is written meanwhile stays", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  keepDraftUntil(1, 2, written, promise);
  saveDraft(1, 2, { ...EMPTY, text: "the next one" });
  resolve();
  await promise;
  await Promise.resolve();
  expect(loadDraft(1, 2).text).toBe("the next one");
});
